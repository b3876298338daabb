# The folders where environments of frameworks may lie, one in each line: environments_of HOME, where HOME holds
# frameworks/. The first is where new ones are made. An installed tree belongs to the machine: its users have theirs at home.

environments_of() {
  users=${XDG_DATA_HOME:-$HOME/.local/share}/trainmark/environments
  [ -z "$TRAINMARK_ENVIRONMENTS" ] || echo "$TRAINMARK_ENVIRONMENTS"
  if [ -e "$1/CMakeLists.txt" ] && [ -w "$1" ]; then
    printf '%s\n' "$1/.venv" "$users"
  else
    printf '%s\n' "$users" "$1/.venv"
  fi
}
