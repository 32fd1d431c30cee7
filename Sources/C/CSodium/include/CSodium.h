#ifndef CSODIUM_H
#define CSODIUM_H

#include <sodium.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The functions of libsodium that the module Encryption uses, on pointers to any memory and with
// lengths of one type; pointers may be NULL where the length is 0.

// Starts the library; safe to call often and from several threads. False without a source of random
// numbers.
bool csodium_start(void);

void csodium_random(void *target, size_t size);

// Memory from sodium_malloc; `*locked` says whether the system keeps it out of the swap space. NULL
// if there is none.
void *csodium_allocate(size_t size, bool *locked);

// Forbids reading this process's memory to others and stops core dumps, or allows it again.
void csodium_protect_process(bool protect);
bool csodium_process_is_readable(void);

// XChaCha20-Poly1305 with a nonce of 24 bytes; `target` takes `size` + 16 bytes.
void csodium_xchacha_seal(void *target, const void *plain, size_t size, const void *more,
                          size_t more_size, const void *nonce, const void *key);
// `size` counts the tag; `target` takes `size` - 16 bytes. False if the data is not authentic.
bool csodium_xchacha_open(void *target, const void *sealed, size_t size, const void *more,
                          size_t more_size, const void *nonce, const void *key);

// ChaCha20-Poly1305 of RFC 8439 with a nonce of 12 bytes; sizes as above.
void csodium_chacha_seal(void *target, const void *plain, size_t size, const void *more,
                         size_t more_size, const void *nonce, const void *key);
bool csodium_chacha_open(void *target, const void *sealed, size_t size, const void *more,
                         size_t more_size, const void *nonce, const void *key);

// PBKDF2 with HMAC-SHA-256; a key of 32 bytes.
void csodium_pbkdf2(void *key, const void *passphrase, size_t size, const void *salt,
                    size_t salt_size, uint32_t iterations);

// Argon2id. False without enough memory.
bool csodium_argon2id(void *key, size_t key_size, const void *passphrase, size_t size,
                      const void *salt, uint32_t operations, size_t memory);

// scrypt with r = 8, p = 1. False without enough memory.
bool csodium_scrypt(void *key, size_t key_size, const void *passphrase, size_t size,
                    const void *salt, size_t salt_size, unsigned log_n);

// HMAC-SHA-256 of two pieces of data, one after the other; 32 bytes.
void csodium_hmac(void *target, const void *key, size_t key_size, const void *first,
                  size_t first_size, const void *second, size_t second_size);

// X25519; false if the result is zero. `csodium_x25519_base` makes the public key of a secret one.
bool csodium_x25519(void *target, const void *secret, const void *point);
bool csodium_x25519_base(void *target, const void *secret);

#endif
