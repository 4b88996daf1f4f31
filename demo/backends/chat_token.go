// The backend of a site: sign-in, sign-out, and the token endpoint of the chat.
// Needs Go 1.19 and nothing else: INLAY_API_KEY=sk-service-… go run chat_token.go
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync"
	"time"
)

const agent = "demo"

type user struct {
	id, name, plan string
	signedOut      bool
}

// Users by session id, in place of your own sessions.
var sessions sync.Map

type platformError struct {
	Status     int
	Code       string
	RetryAfter int
}

func (e *platformError) Error() string { return fmt.Sprintf("%d %s", e.Status, e.Code) }

// Sends a POST request. Retries it for at most 9 seconds after 429 and 503, with which it had no effect.
func callPlatform(path string, body, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Second)
	defer cancel()
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	for {
		failure := post(ctx, path, data, result)
		var known *platformError
		if !errors.As(failure, &known) || (known.Status != 429 && known.Status != 503) {
			return failure
		}
		wait := time.Duration(known.RetryAfter) * time.Second
		if deadline, _ := ctx.Deadline(); time.Now().Add(wait).After(deadline) {
			return failure
		}
		time.Sleep(wait)
	}
}

func post(ctx context.Context, path string, data []byte, result any) error {
	address := env("INLAY_URL", "http://localhost:8787") + "/agent/v1" + path
	request, err := http.NewRequestWithContext(ctx, "POST", address, bytes.NewReader(data))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("INLAY_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return &platformError{Status: 502, Code: "UNREACHABLE"}
	}
	defer response.Body.Close()
	if response.StatusCode < 300 {
		if err := json.NewDecoder(response.Body).Decode(result); err != nil {
			return &platformError{Status: 502, Code: "UNREACHABLE"}
		}
		return nil
	}
	failure := &platformError{Status: response.StatusCode, Code: "UNKNOWN", RetryAfter: 1}
	var problem struct{ Code string }
	if json.NewDecoder(response.Body).Decode(&problem) == nil && problem.Code != "" {
		failure.Code = problem.Code
	}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		failure.RetryAfter = seconds
	}
	return failure
}

func chatToken(w http.ResponseWriter, r *http.Request) {
	found, ok := sessions.Load(sessionID(r))
	signedIn, _ := found.(user)
	if !ok || signedIn.signedOut {
		respond(w, 401, map[string]any{"code": "SIGNED_OUT"})
		return
	}
	var issued struct {
		Token     string `json:"token"`
		ExpiresAt any    `json:"expires_at"`
	}
	err := callPlatform("/embed_tokens", map[string]any{
		"agent":            agent,
		"external_user_id": signedIn.id,
		"system_message":   []any{map[string]string{"type": "text", "text": "The user's name is " + signedIn.name + "."}},
		"metadata":         map[string]string{"plan": signedIn.plan},
	}, &issued)
	if err != nil {
		respondToFailure(w, err)
		return
	}
	respond(w, 200, map[string]any{"token": issued.Token, "expires_at": issued.ExpiresAt})
}

func respondToFailure(w http.ResponseWriter, err error) {
	failure := &platformError{Status: 500}
	errors.As(err, &failure)
	if failure.Code == "EMBED_USER_BLOCKED" {
		respond(w, 403, map[string]any{"code": failure.Code})
		return
	}
	log.Println("The platform answered:", err)
	switch {
	case failure.Status == 429 || failure.Status == 503:
		w.Header().Set("Retry-After", strconv.Itoa(failure.RetryAfter))
		respond(w, 503, map[string]any{"code": "TOKEN_UNAVAILABLE"})
	case failure.Status >= 500:
		respond(w, 502, map[string]any{"code": "TOKEN_UNAVAILABLE"})
	default: // A retry can't help.
		respond(w, 500, map[string]any{"code": "MISCONFIGURED"})
	}
}

func signIn(w http.ResponseWriter, r *http.Request) {
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		respond(w, 500, map[string]any{})
		return
	}
	session := hex.EncodeToString(random)
	sessions.Store(session, user{id: "ada", name: "Ada", plan: "first"})
	http.SetCookie(w, &http.Cookie{
		Name: "session", Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
	respond(w, 200, map[string]any{})
}

func signOut(w http.ResponseWriter, r *http.Request) {
	session := sessionID(r)
	if found, ok := sessions.Load(session); ok {
		// Ends the session first, because otherwise the chat could get another token. Keeps the user until
		// the tokens are revoked, so that the call can be repeated.
		id := found.(user).id
		sessions.Store(session, user{id: id, signedOut: true})
		path := "/agents/" + agent + "/end_users/" + url.PathEscape(id) + "/revoke_tokens"
		if err := callPlatform(path, map[string]any{}, &map[string]any{}); err != nil {
			log.Printf("The tokens of %s are still valid: %v", id, err)
			respond(w, 502, map[string]any{"code": "NOT_REVOKED"}) // Retry later.
			return
		}
		sessions.Delete(session)
	}
	respond(w, 200, map[string]any{})
}

func isSameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && (origin.Host == "" || origin.Host == r.Host)
}

func sessionID(r *http.Request) string {
	cookie, err := r.Cookie("session")
	if err != nil {
		return ""
	}
	return cookie.Value
}

func respond(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

func main() {
	routes := map[string]http.HandlerFunc{
		"/api/chat-token": chatToken, "/sign-in": signIn, "/sign-out": signOut,
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		route, ok := routes[r.URL.Path]
		switch {
		case !ok:
			respond(w, 404, map[string]any{"code": "NOT_FOUND"})
		case r.Method != "POST":
			respond(w, 405, map[string]any{"code": "METHOD_NOT_ALLOWED"})
		case !isSameOrigin(r):
			respond(w, 403, map[string]any{"code": "ORIGIN_NOT_ALLOWED"})
		default:
			route(w, r)
		}
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+env("PORT", "3000"), handler))
}
