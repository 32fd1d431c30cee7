#include "CCurl.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

// How many requests are under way at once, and how long an answer may be.
#define MOST_CONNECTIONS 8
#define LONGEST_ANSWER ((size_t)1 << 30)

struct ccurl_session {
    CURLM *multi;
    char *user;
    char *password;
    char *authority;
};

ccurl_session *ccurl_open(const char *user, const char *password, const char *authority) {
    ccurl_session *session = calloc(1, sizeof *session);
    if (session == NULL) return NULL;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    session->multi = curl_multi_init();
    session->user = strdup(user);
    session->password = strdup(password);
    session->authority = authority == NULL ? NULL : strdup(authority);
    curl_multi_setopt(session->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)MOST_CONNECTIONS);
    return session;
}

void ccurl_close(ccurl_session *session) {
    curl_multi_cleanup(session->multi);
    free(session->user);
    explicit_bzero(session->password, strlen(session->password));
    free(session->password);
    free(session->authority);
    free(session);
}

static size_t append(unsigned char **bytes, size_t *length, const char *part, size_t count) {
    if (count > LONGEST_ANSWER - *length) return 0;
    // The room doubles: it is full at each power of two.
    size_t room = 4096;
    while (room < *length) room *= 2;
    if (*bytes == NULL || *length + count > room) {
        while (room < *length + count) room *= 2;
        unsigned char *more = realloc(*bytes, room);
        if (more == NULL) return 0;
        *bytes = more;
    }
    memcpy(*bytes + *length, part, count);
    *length += count;
    return count;
}

static size_t take_body(char *part, size_t size, size_t count, void *context) {
    ccurl_response *response = context;
    return append(&response->body, &response->body_length, part, size * count);
}

static size_t take_header(char *part, size_t size, size_t count, void *context) {
    ccurl_response *response = context;
    // A redirection or an intermediate answer came before.
    if (size * count > 5 && memcmp(part, "HTTP/", 5) == 0) response->header_length = 0;
    return append(
        (unsigned char **)&response->headers, &response->header_length, part, size * count);
}

static CURL *make(
    ccurl_session *session, const ccurl_request *request, ccurl_response *response,
    struct curl_slist **list) {
    CURL *handle = curl_easy_init();
    if (handle == NULL) return NULL;
    for (int index = 0; index < request->header_count; index++) {
        *list = curl_slist_append(*list, request->headers[index]);
    }
    *list = curl_slist_append(*list, "Expect:");
    curl_easy_setopt(handle, CURLOPT_URL, request->url);
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request->method);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, *list);
    if (request->body != NULL) {
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, request->body);
        curl_easy_setopt(handle, CURLOPT_POSTREDIR, (long)CURL_REDIR_POST_ALL);
    }
    if (session->user[0] != 0) {
        curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
        curl_easy_setopt(handle, CURLOPT_USERNAME, session->user);
        curl_easy_setopt(handle, CURLOPT_PASSWORD, session->password);
    }
    if (session->authority != NULL) {
        curl_easy_setopt(handle, CURLOPT_CAINFO, session->authority);
    }
    // The password goes to no other host, and never from https to http.
    int is_secure = strncmp(request->url, "https:", 6) == 0;
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, is_secure ? "https" : "http,https");
    curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, is_secure ? "https" : "http,https");
    curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(handle, CURLOPT_MAXREDIRS, 5L);
    curl_easy_setopt(handle, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    long patience = request->patience < 1 ? 1 : request->patience;
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, patience < 15 ? patience : 15L);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 100L);
    curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, patience);
    // A machine that is gone does not confirm these, however long its program may be silent.
    curl_easy_setopt(handle, CURLOPT_TCP_KEEPALIVE, 1L);
    curl_easy_setopt(handle, CURLOPT_TCP_KEEPIDLE, 30L);
    curl_easy_setopt(handle, CURLOPT_TCP_KEEPINTVL, 15L);
    curl_easy_setopt(handle, CURLOPT_USERAGENT, "Docket");
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, response);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, response);
    curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, response->message);
    curl_easy_setopt(handle, CURLOPT_PRIVATE, response);
    return handle;
}

static int problem(CURLcode code) {
    switch (code) {
    case CURLE_OK: return CCURL_NONE;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR: return CCURL_CERTIFICATE;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_PARTIAL_FILE: return CCURL_OFFLINE;
    default: return CCURL_OTHER;
    }
}

static void finish(CURL *handle, CURLcode code) {
    ccurl_response *response = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **)&response);
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &response->status);
    char *url = NULL;
    curl_easy_getinfo(handle, CURLINFO_EFFECTIVE_URL, &url);
    response->url = url == NULL ? NULL : strdup(url);
    response->problem = problem(code);
    curl_off_t begun = 0;
    curl_easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &begun);
    if (code == CURLE_OPERATION_TIMEDOUT && begun > 0) response->problem = CCURL_SILENT;
    if (code != CURLE_OK && response->message[0] == 0) {
        strncpy(response->message, curl_easy_strerror(code), sizeof response->message - 1);
    }
}

void ccurl_send(
    ccurl_session *session, const ccurl_request *requests, ccurl_response *responses, int count) {
    CURL **handles = calloc((size_t)count, sizeof *handles);
    struct curl_slist **lists = calloc((size_t)count, sizeof *lists);
    int running = 0;
    for (int index = 0; index < count; index++) {
        responses[index].problem = CCURL_OTHER;
        if (handles == NULL || lists == NULL) continue;
        handles[index] = make(session, &requests[index], &responses[index], &lists[index]);
        if (handles[index] != NULL) curl_multi_add_handle(session->multi, handles[index]);
    }
    do {
        if (curl_multi_perform(session->multi, &running) != CURLM_OK) break;
        int left = 0;
        CURLMsg *message;
        while ((message = curl_multi_info_read(session->multi, &left)) != NULL) {
            if (message->msg == CURLMSG_DONE) finish(message->easy_handle, message->data.result);
        }
        if (running > 0 && curl_multi_poll(session->multi, NULL, 0, 1000, NULL) != CURLM_OK) break;
    } while (running > 0);
    for (int index = 0; index < count && handles != NULL && lists != NULL; index++) {
        if (handles[index] == NULL) continue;
        curl_multi_remove_handle(session->multi, handles[index]);
        curl_easy_cleanup(handles[index]);
        curl_slist_free_all(lists[index]);
    }
    free(handles);
    free(lists);
}

void ccurl_free(ccurl_response *responses, int count) {
    for (int index = 0; index < count; index++) {
        free(responses[index].headers);
        free(responses[index].body);
        free(responses[index].url);
    }
}
