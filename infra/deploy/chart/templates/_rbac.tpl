{{/*
Roles and bindings of one grant: `cluster` and `namespaced` rules; with `namespaces` the latter become a Role in each, else all are
one ClusterRole. Nothing where there are no rules.
*/}}
{{- define "reveille.grant" -}}
{{- $root := .root }}
{{- $wide := default list .cluster }}
{{- $narrow := default list .namespaced }}
{{- if empty .namespaces }}{{ $wide = concat $narrow $wide }}{{ $narrow = list }}{{ end }}
{{- if $wide }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ include "reveille.wide" (list $root .name) }}
  labels:
    {{- include "reveille.labels" (list $root .name) | nindent 4 }}
rules:
  {{- toYaml $wide | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ include "reveille.wide" (list $root .name) }}
  labels:
    {{- include "reveille.labels" (list $root .name) | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ include "reveille.wide" (list $root .name) }}
subjects:
  {{- include "reveille.subjects" . | nindent 2 }}
{{- end }}
{{- if $narrow }}
{{- range $namespace := .namespaces }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ include "reveille.wide" (list $root $.name) }}
  namespace: {{ $namespace }}
  labels:
    {{- include "reveille.labels" (list $root $.name) | nindent 4 }}
rules:
  {{- toYaml $narrow | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ include "reveille.wide" (list $root $.name) }}
  namespace: {{ $namespace }}
  labels:
    {{- include "reveille.labels" (list $root $.name) | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ include "reveille.wide" (list $root $.name) }}
subjects:
  {{- include "reveille.subjects" $ | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{- define "reveille.subjects" -}}
{{- range $account := .accounts }}
- kind: ServiceAccount
  name: {{ include "reveille.part" (list $.root $account) }}
  namespace: {{ $.root.Release.Namespace }}
{{- end }}
{{- end }}

{{/*
The rules for what a slot admits, by the configuration: (list $ "system" slot) → { rules: […] }. As slots.ts derives them: nobody may
hand out rights that he lacks, unless he may do just that. `instead` of the slot: the names that stand for others.
*/}}
{{- define "reveille.slot" -}}
{{- $slot := index . 2 -}}
{{- $at := default dict (get (index . 0).Values.configuration (index . 1)) -}}
{{- range initial $slot.path }}{{ $at = default dict (get $at .) }}{{ end -}}
{{- $admitted := $slot.otherwise -}}
{{- if hasKey $at (last $slot.path) }}{{ $admitted = get $at (last $slot.path) }}{{ end -}}
{{- $rules := list -}}
{{- $escalation := list -}}
{{- $names := list -}}
{{- range $admitted -}}
{{- if hasKey (default dict $slot.instead) . }}{{ $names = concat $names (get $slot.instead .) }}{{ else }}{{ $names = append $names . }}{{ end -}}
{{- end -}}
{{- range $names -}}
{{- $named := splitn "/" 2 . -}}
{{- $parts := splitn "." 2 $named._0 -}}
{{- $group := default "" $parts._1 -}}
{{- if eq $named._0 "*" }}{{ $group = "*" }}{{ end -}}
{{- $rule := dict "apiGroups" (list $group) "resources" (list $parts._0) "verbs" $slot.verbs -}}
{{- if $named._1 -}}
{{- $read := list -}}
{{- range $slot.verbs }}{{ if has . (list "get" "list" "watch") }}{{ $read = append $read . }}{{ end }}{{ end -}}
{{- $rule = merge (dict "resourceNames" (list $named._1) "verbs" $read) $rule -}}
{{- end -}}
{{- $rules = append $rules $rule -}}
{{- if has $group (list "*" "rbac.authorization.k8s.io") -}}
{{- if has $parts._0 (list "*" "rolebindings" "clusterrolebindings") }}{{ $escalation = append $escalation "bind" }}{{ end -}}
{{- if has $parts._0 (list "*" "roles" "clusterroles") }}{{ $escalation = append $escalation "escalate" }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if and $escalation (or (has "create" $slot.verbs) (has "patch" $slot.verbs) (has "update" $slot.verbs)) -}}
{{- $rules = append $rules (dict "apiGroups" (list "rbac.authorization.k8s.io") "resources" (list "clusterroles" "roles") "verbs" (uniq $escalation)) -}}
{{- end -}}
{{- dict "rules" $rules | toJson -}}
{{- end }}
