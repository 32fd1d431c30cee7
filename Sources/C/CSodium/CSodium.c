#include "CSodium.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// The functions of libsodium want pointers that are not NULL, also to nothing.
static const unsigned char nothing[1];

static const unsigned char *some(const void *pointer) {
    return pointer == NULL ? nothing : pointer;
}

bool csodium_start(void) { return sodium_init() >= 0; }

void csodium_random(void *target, size_t size) {
    if (size > 0) randombytes_buf(target, size);
}

void *csodium_allocate(size_t size, bool *locked) {
    void *memory = sodium_malloc(size);
    // sodium_malloc locks what it returns, but does not say whether that worked; a second lock of
    // the same pages has no effect beyond its result.
    *locked = memory != NULL && sodium_mlock(memory, size) == 0;
    return memory;
}

void csodium_protect_process(bool protect) {
    prctl(PR_SET_DUMPABLE, protect ? 0 : 1, 0, 0, 0);
    if (protect) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
    }
}

bool csodium_process_is_readable(void) { return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 1; }

void csodium_xchacha_seal(void *target, const void *plain, size_t size, const void *more,
                          size_t more_size, const void *nonce, const void *key) {
    crypto_aead_xchacha20poly1305_ietf_encrypt(target, NULL, some(plain), size, some(more),
                                               more_size, NULL, nonce, key);
}

bool csodium_xchacha_open(void *target, const void *sealed, size_t size, const void *more,
                          size_t more_size, const void *nonce, const void *key) {
    return crypto_aead_xchacha20poly1305_ietf_decrypt(target, NULL, NULL, some(sealed), size,
                                                      some(more), more_size, nonce, key) == 0;
}

void csodium_chacha_seal(void *target, const void *plain, size_t size, const void *more,
                         size_t more_size, const void *nonce, const void *key) {
    crypto_aead_chacha20poly1305_ietf_encrypt(target, NULL, some(plain), size, some(more),
                                              more_size, NULL, nonce, key);
}

bool csodium_chacha_open(void *target, const void *sealed, size_t size, const void *more,
                         size_t more_size, const void *nonce, const void *key) {
    return crypto_aead_chacha20poly1305_ietf_decrypt(target, NULL, NULL, some(sealed), size,
                                                     some(more), more_size, nonce, key) == 0;
}

void csodium_pbkdf2(void *key, const void *passphrase, size_t size, const void *salt,
                    size_t salt_size, uint32_t iterations) {
    static const unsigned char first[4] = {0, 0, 0, 1};
    crypto_auth_hmacsha256_state start, state;
    unsigned char block[crypto_auth_hmacsha256_BYTES], *sum = key;
    crypto_auth_hmacsha256_init(&start, some(passphrase), size);
    state = start;
    crypto_auth_hmacsha256_update(&state, some(salt), salt_size);
    crypto_auth_hmacsha256_update(&state, first, sizeof first);
    crypto_auth_hmacsha256_final(&state, block);
    memcpy(sum, block, sizeof block);
    for (uint32_t round = 1; round < iterations; round++) {
        state = start;
        crypto_auth_hmacsha256_update(&state, block, sizeof block);
        crypto_auth_hmacsha256_final(&state, block);
        for (size_t place = 0; place < sizeof block; place++) sum[place] ^= block[place];
    }
    sodium_memzero(&start, sizeof start);
    sodium_memzero(&state, sizeof state);
    sodium_memzero(block, sizeof block);
}

bool csodium_argon2id(void *key, size_t key_size, const void *passphrase, size_t size,
                      const void *salt, uint32_t operations, size_t memory) {
    return crypto_pwhash(key, key_size, (const char *)some(passphrase), size, salt, operations,
                         memory, crypto_pwhash_ALG_ARGON2ID13) == 0;
}

bool csodium_scrypt(void *key, size_t key_size, const void *passphrase, size_t size,
                    const void *salt, size_t salt_size, unsigned log_n) {
    if (log_n == 0 || log_n > 40) return false;
    return crypto_pwhash_scryptsalsa208sha256_ll(some(passphrase), size, some(salt), salt_size,
                                                 UINT64_C(1) << log_n, 8, 1, key, key_size) == 0;
}

void csodium_hmac(void *target, const void *key, size_t key_size, const void *first,
                  size_t first_size, const void *second, size_t second_size) {
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, some(key), key_size);
    crypto_auth_hmacsha256_update(&state, some(first), first_size);
    crypto_auth_hmacsha256_update(&state, some(second), second_size);
    crypto_auth_hmacsha256_final(&state, target);
    sodium_memzero(&state, sizeof state);
}

bool csodium_x25519(void *target, const void *secret, const void *point) {
    return crypto_scalarmult(target, secret, point) == 0;
}

bool csodium_x25519_base(void *target, const void *secret) {
    return crypto_scalarmult_base(target, secret) == 0;
}
