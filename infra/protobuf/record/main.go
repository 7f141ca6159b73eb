// Records how Go clients spell objects: reads JSON objects, one a line, and prints for each its kind, the protobuf body
// that client-go sends (base64), and the JSON that Go makes of it.
//
//	node infra/protobuf/objects.ts | (cd infra/protobuf/record && go mod tidy && go run .) > infra/local/faces/protobuf/recorded.txt
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	known := scheme.Scheme
	must(apiextensions.AddToScheme(known))
	decoder := serializer.NewCodecFactory(known).UniversalDeserializer()
	encoder := protobuf.NewSerializer(known, known)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var object runtime.Object
		var meta metav1.TypeMeta
		must(json.Unmarshal(lines.Bytes(), &meta))
		if meta.Kind == "DeleteOptions" {
			object = &metav1.DeleteOptions{}
			must(json.Unmarshal(lines.Bytes(), object))
		} else {
			found, kind, err := decoder.Decode(lines.Bytes(), nil, nil)
			must(err)
			found.GetObjectKind().SetGroupVersionKind(*kind)
			object = found
		}
		body, err := runtime.Encode(encoder, object)
		must(err)
		spelled, err := json.Marshal(object)
		must(err)
		fmt.Printf("%s\t%s\t%s\n", meta.Kind, base64.StdEncoding.EncodeToString(body), spelled)
	}
	must(lines.Err())
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
