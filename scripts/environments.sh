# Making environments of Python: functions for scripts/setup and scripts/install-frameworks. $environments is the folder that
# they are made in.

say() { echo "setup: $*" >&2; }
stop() { say "$*"; exit 1; }

# Does a finished environment hold every version of a file already? Without an index there is nothing to install from.
holds() {
  [ -e "$1/trainmark-installed" ] &&
    "$1/bin/pip" install --quiet --disable-pip-version-check --no-index --no-deps --requirement "$2" >/dev/null 2>&1
}

size_of() { du --summarize --block-size=1M "$1" 2>/dev/null | cut --fields 1; }

# Runs a command; on a terminal a line below says how long, and how much has arrived in the folder.
with_progress() {
  local what=$1 folder=$2 begun=$SECONDS
  shift 2
  if ! [ -t 2 ] || [ -z "${TERM:-}" ] || [ "$TERM" = dumb ]; then
    "$@"
    return
  fi
  "$@" &
  local worker=$! code=0
  trap 'kill $worker 2>/dev/null || true; exit 130' INT TERM
  while kill -0 $worker 2>/dev/null; do
    sleep 1
    printf '\r\033[Ksetup: %s: %s s, %s MB installed' "$what" $((SECONDS - begun)) "$(size_of "$folder")" >&2
  done
  printf '\r\033[K' >&2
  wait $worker || code=$?
  trap - INT TERM
  return $code
}

# Makes $environments/$1 from a file of requirements, or from the lock beside it: then every file is checked by its hash. A
# stamp says that the environment was finished, and with what. What follows is for pip.
make_environment() {
  local environment=$environments/$1 what=$2 file=$3 checks=
  shift 3
  if [ -f "${file%.txt}.lock" ]; then
    file=${file%.txt}.lock
    checks=--require-hashes
  fi
  local stamp="$environment/trainmark-installed"
  ! cmp --quiet "$file" "$stamp" || return 0
  if ! holds "$environment" "$file"; then
    say "installing $what into $environment"
    rm -rf "$environment"
    mkdir -p "$environments" || stop "cannot make the folder $environments; name another with TRAINMARK_ENVIRONMENTS"
    python3 -m venv "$environment" ||
      stop "python3 cannot make a virtual environment in $environments (Debian: apt install python3-venv)"
    # Python compiles what it imports: a small part of a framework's thousands of files.
    with_progress "$what" "$environment" \
      "$environment/bin/pip" install --quiet --disable-pip-version-check --no-compile $checks "$@" --requirement "$file" ||
      stop "$what could not be installed from $file. Is this machine online?"
  fi
  cp "$file" "$stamp"
}

# Where there is a GPU, the build for it, if the framework has one of its own.
requirements_of() {
  local for_gpu="frameworks/$1/requirements-cuda.txt"
  if [ -f "$for_gpu" ] && { [ -e /dev/nvidiactl ] || ldconfig -p | grep --quiet libcuda.so.1; }; then
    echo "$for_gpu"
  else
    echo "frameworks/$1/requirements.txt"
  fi
}

make_libtorch() {  # no Python will read it
  make_environment libtorch "LibTorch (1.3 GB; half a minute on a fast line)" trainers/requirements.txt --no-deps
}
