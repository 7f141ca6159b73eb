{{/*
What a cluster would refuse with words that do not say what to do. It is asked when helm reaches a cluster; `helm template` knows
nothing of one.
*/}}

{{/* A CRD that is there already belongs to whoever brought it: helm would refuse the whole release. (list $ name) */}}
{{- define "reveille.refuseForeignCrd" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- if not $root.Values.crds.takeOwnership -}}
{{- with lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" $name -}}
{{- $notes := default dict .metadata.annotations -}}
{{- $of := printf "%s/%s" (get $notes "meta.helm.sh/release-namespace") (get $notes "meta.helm.sh/release-name") -}}
{{- if ne $of (printf "%s/%s" $root.Release.Namespace $root.Release.Name) -}}
{{- fail (printf "crds: %s is there already and %s. Either leave the CRDs to whoever brought them (crds.install=false; `reveille crds | kubectl apply --server-side -f -` renews them), or let this release take them (crds.takeOwnership=true with helm's --take-ownership)." $name (ternary "belongs to no release of helm" (printf "belongs to the release %s" $of) (eq $of "/"))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The claims of a StatefulSet cannot be changed. (list $ statefulSet value wanted), wanted: storage and class, empty for no claim. */}}
{{- define "reveille.refuseOtherClaims" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $wanted := index . 3 -}}
{{- with lookup "apps/v1" "StatefulSet" $root.Release.Namespace $name -}}
{{- $live := dict -}}
{{- range default list .spec.volumeClaimTemplates }}{{ $live = dict "storage" .spec.resources.requests.storage "class" (default "" .spec.storageClassName) }}{{ end -}}
{{- if ne (toJson $live) (toJson $wanted) -}}
{{- fail (printf "%s: the volume claims of a StatefulSet cannot be changed in place. Run `kubectl delete statefulset %s -n %s --cascade=orphan` first: its pods and volumes stay, and the next upgrade takes them over%s." (index $ 2) $name $root.Release.Namespace (ternary "" "; a volume that is there keeps its size until its claim is edited" (empty $wanted))) -}}
{{- end -}}
{{- end -}}
{{- end }}
