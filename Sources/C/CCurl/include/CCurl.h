#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

// Requests over HTTP with libcurl, several at the same time over connections that are kept.

typedef struct ccurl_session ccurl_session;

typedef struct {
    const char *method;
    const char *url;
    // Lines such as "Depth: 1", without their ends.
    const char *const *headers;
    int header_count;
    // NULL for none.
    const void *body;
    size_t body_length;
    // How many seconds the server may be silent.
    long patience;
} ccurl_request;

enum ccurl_problem {
    CCURL_NONE,
    // The server cannot be reached.
    CCURL_OFFLINE,
    // It was reached, and has not come to an end in time.
    CCURL_SILENT,
    // Its certificate is not accepted.
    CCURL_CERTIFICATE,
    CCURL_OTHER,
};

typedef struct {
    long status;
    // The headers of the last answer, as they came.
    char *headers;
    size_t header_length;
    unsigned char *body;
    size_t body_length;
    // Where it came from in the end.
    char *url;
    int problem;
    char message[256];
} ccurl_response;

// Returns NULL without memory. `authority` is a file of certificates that are trusted too, or NULL.
ccurl_session *ccurl_open(const char *user, const char *password, const char *authority);
void ccurl_close(ccurl_session *session);
// Makes the requests; the responses must be zero, and are freed with ccurl_free.
void ccurl_send(
    ccurl_session *session, const ccurl_request *requests, ccurl_response *responses, int count);
void ccurl_free(ccurl_response *responses, int count);

#endif
