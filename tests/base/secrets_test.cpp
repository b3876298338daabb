#include "base/secrets.h"

#include <gtest/gtest.h>

namespace trainmark {
namespace {

using Words = std::vector<std::string>;

std::string hidden(const std::string& text) {
  return Secrets().hide(std::string_view(text));
}

TEST(SecretNames, AreKnownByTheirWords) {
  for (const char* name :
       {"HF_TOKEN", "WANDB_API_KEY", "WANDB_PASS", "DB_PWD", "PGPASSWORD", "--password", "apiKey",
        "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "GOOGLE_CREDENTIALS", "trainer.auth_token",
        "X-Api-Key", "Authorization", "session-cookie", "JAX_password"})
    EXPECT_TRUE(is_secret_name(name)) << name;
  for (const char* name :
       {"--max-tokens", "num_key_value_heads", "PWD", "OLDPWD", "TOKENIZERS_PARALLELISM",
        "--keys-per-batch", "OMP_NUM_THREADS", "bypass", "--token-file", "author", "--passes", "",
        "--", "keyboard", "SSH_AUTH_SOCK"})
    EXPECT_FALSE(is_secret_name(name)) << name;
}

TEST(SecretCommands, LoseTheirValuesAndNothingElse) {
  const Words command = {"env",
                         "WANDB_API_KEY=k",
                         "python",
                         "train.py",
                         "--batch",
                         "32",
                         "--password=a=b c",
                         "--token",
                         "abc",
                         "--max-tokens",
                         "5120",
                         "--eos-token",
                         "2",
                         "--pad-token",
                         "<pad>",
                         "--auth",
                         "--lr=0.1",
                         "model.api_key=x",
                         "--secret",
                         "$FROM_SHELL"};
  const Words expected = {"env",
                          "WANDB_API_KEY=REDACTED",
                          "python",
                          "train.py",
                          "--batch",
                          "32",
                          "--password=REDACTED",
                          "--token",
                          "REDACTED",
                          "--max-tokens",
                          "5120",
                          "--eos-token",
                          "2",
                          "--pad-token",
                          "<pad>",
                          "--auth",
                          "--lr=0.1",
                          "model.api_key=REDACTED",
                          "--secret",
                          "$FROM_SHELL"};
  EXPECT_EQ(Secrets().hide(command), expected);
  EXPECT_EQ(Secrets(true).hide(command), command);
}

TEST(SecretTexts, LoseWhatTheirNamesGiveAway) {
  EXPECT_EQ(hidden("A_TOKEN=abc python x.py --password xyz -n 3"),
            "A_TOKEN=REDACTED python x.py --password REDACTED -n 3");
  EXPECT_EQ(hidden("environment: {HF_TOKEN: abc, OMP_NUM_THREADS: 4}"),
            "environment: {HF_TOKEN: REDACTED, OMP_NUM_THREADS: 4}");
  EXPECT_EQ(hidden("command: [\"a\", \"--api-key\", \"x \\\" y\", \"b\"]"),
            "command: [\"a\", \"--api-key\", \"REDACTED\", \"b\"]");
  EXPECT_EQ(hidden("command:\n  - --token\n  - abc\n  - b\n"),
            "command:\n  - --token\n  - REDACTED\n  - b\n");
  EXPECT_EQ(hidden("{'db_pwd': 'hush', 'batch': 3}"), "{'db_pwd': 'REDACTED', 'batch': 3}");
  EXPECT_EQ(hidden("-H 'Authorization: Bearer abc.def' b"), "-H 'Authorization: REDACTED' b");
  for (const char* harmless :
       {"unexpected token: x", "--token --other", "the key is under the mat", "api_key=$API_KEY",
        "max_tokens: 5120", "password=", "a/b/c.key", "PWD=/home/me"})
    EXPECT_EQ(hidden(harmless), harmless);
}

TEST(SecretTexts, LoseWhatItsShapeGivesAway) {
  for (const char* text :
       {"ghp_0123456789abcdefABCDEF", "hf_abcdefghijABCDEFGHIJ0123", "sk-abcdefghijklmnop12345678",
        "AKIAIOSFODNN7EXAMPLE", "glpat-abcdefghij1234567890",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijkl", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY"}) {
    EXPECT_EQ(hidden(text), "REDACTED") << text;
    EXPECT_EQ(hidden(std::string("say ") + text + ", twice"), "say REDACTED, twice");
  }
  EXPECT_EQ(hidden("git+https://me:hush@example.org/x and http://host:8080/y"),
            "git+https://me:REDACTED@example.org/x and http://host:8080/y");
  EXPECT_EQ(hidden("a -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- b"),
            "a -----BEGIN RSA PRIVATE KEY-----REDACTED-----END RSA PRIVATE KEY----- b");
  for (const char* harmless :
       {"0123456789abcdef0123456789abcdef01234567", "PaddleDetectionMaskRCNNResNetVdSSLDFPN",
        "/data/imagenet/ILSVRC2012_img_train/n01440764", "resnet50:small/libtorch:eager/fp32/b8"})
    EXPECT_EQ(hidden(harmless), harmless);
}

TEST(Secrets, AreHiddenWhereverTheyStandAgain) {
  Secrets secrets;
  secrets.hide(
      std::map<std::string, std::string>{{"DB_PASSWORD", "open sesame"}, {"MY_PWD", "ab"}});
  EXPECT_EQ(secrets.hide(std::string_view("cannot log in with open sesame")),
            "cannot log in with REDACTED");
  EXPECT_EQ(secrets.hide(std::string_view("about")), "about") << "too short to be looked for";
}

}  // namespace
}  // namespace trainmark
