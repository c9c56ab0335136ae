// SHA-256 by OpenSSL, which uses the CPU's SHA instructions where it has them.
#include "base/hash.h"

#include <algorithm>
#include <array>
#include <openssl/evp.h>

#include "base/mapped_file.h"
#include "berth/error.h"

namespace berth {
namespace {

EVP_MD_CTX* as_context(void* pointer) noexcept { return static_cast<EVP_MD_CTX*>(pointer); }

void require(int success) {
  if (success != 1) throw Error(ErrorKind::internal, "", "OpenSSL cannot compute SHA-256");
}

}  // namespace

void Sha256::Free::operator()(void* context) const noexcept { EVP_MD_CTX_free(as_context(context)); }

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require(EVP_DigestInit_ex(as_context(context_.get()), EVP_sha256(), nullptr));
}

Sha256::~Sha256() = default;

void Sha256::update(std::span<const std::byte> bytes) {
  require(EVP_DigestUpdate(as_context(context_.get()), bytes.data(), bytes.size()));
}

std::string Sha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  require(EVP_DigestFinal_ex(as_context(context_.get()), digest.data(), &size));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : std::span(digest).first(size)) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256_of(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  std::string digest = sha256_of(file.bytes());
  file.require_intact();
  return digest;
}

}  // namespace berth
