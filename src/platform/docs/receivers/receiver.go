// go run receiver.go: WEBHOOK_SECRET=svc_whsec_... PORT=4000
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const toleranceSeconds = 300

var (
	secret  = []byte(os.Getenv("WEBHOOK_SECRET"))
	handled sync.Map
)

// isAuthentic reports whether these bytes were signed with the secret within the tolerance.
func isAuthentic(rawBody []byte, header string, secret []byte) bool {
	var sentAt string
	var signatures []string
	for _, field := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(field, "=")
		switch {
		case name == "t" && sentAt == "":
			sentAt = value
		case name == "v1":
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if age := time.Now().Unix() - seconds; err != nil || age > toleranceSeconds || age < -toleranceSeconds {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(sentAt + "."))
	mac.Write(rawBody)
	own := mac.Sum(nil)
	// there are two while the previous secret is still valid; one match is enough
	for _, signature := range signatures {
		if sent, err := hex.DecodeString(signature); err == nil && hmac.Equal(sent, own) {
			return true
		}
	}
	return false
}

func receive(response http.ResponseWriter, request *http.Request) {
	rawBody, err := io.ReadAll(request.Body)
	if err != nil || !isAuthentic(rawBody, request.Header.Get("Svc-Signature"), secret) {
		http.Error(response, "invalid signature", http.StatusBadRequest)
		return
	}
	var event struct{ ID, Type string }
	if json.Unmarshal(rawBody, &event) != nil {
		http.Error(response, "invalid body", http.StatusBadRequest)
		return
	}
	// an event may be delivered twice: keep the ids in your database, and store the event before you respond
	if _, again := handled.LoadOrStore(event.ID, true); !again {
		fmt.Println(event.Type, event.ID)
	}
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	if len(secret) == 0 {
		log.Fatal("Set WEBHOOK_SECRET to the signing secret of the endpoint.")
	}
	log.Fatal(http.ListenAndServe(":"+port, http.HandlerFunc(receive)))
}
