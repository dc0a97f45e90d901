# The command `wald` for Homebrew: a copy of this file goes to a tap.
class Wald < Formula
  desc "Variable importance for random forests, with error bars"
  homepage "https://github.com/wald-forest/wald"
  url "https://github.com/wald-forest/wald/archive/refs/tags/v0.1.0.tar.gz"
  # Known once the tag exists.
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]
  head "https://github.com/wald-forest/wald.git", branch: "main"

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/wald-cli")
    system bin/"wald", "man", man1
    generate_completions_from_executable(bin/"wald", "completions")
  end

  test do
    system bin/"wald", "simulate", "friedman_1", "--rows", "100", "--output", "trees.csv"
    assert_match "x4", shell_output("#{bin}/wald importance trees.csv --target y --trees 20")
  end
end
