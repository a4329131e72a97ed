{{- /* list of the root and the image's key in the values */}}
{{- define "sluice.image" -}}
{{- $root := index . 0 }}
{{- $image := index $root.Values.images (index . 1) }}
{{- with $root.Values.images.registry }}{{ . }}/{{ end }}{{ $image.name }}
{{- if $image.digest }}@{{ $image.digest }}{{ else }}:{{ $image.tag }}{{ end }}
{{- end }}

{{- define "sluice.host" -}}
{{ (urlParse .publicUrl).host }}
{{- end }}

{{- define "sluice.regionNamespace" -}}
{{ .namespace | default (printf "sluice-%s-%s" (replace "_" "-" .cloud) .region) }}
{{- end }}

{{- define "sluice.natsUrl" -}}
{{ if .Values.data.enabled }}nats://nats.sluice-data:4222{{ else }}{{ .Values.nats.url }}{{ end }}
{{- end }}

{{- define "sluice.dataEgress" -}}
- to:
{{- range .Values.network.data.cidrs }}
    - ipBlock: { cidr: {{ . | quote }} }
{{- end }}
  ports:
{{- range .Values.network.data.ports }}
    - port: {{ . }}
{{- end }}
{{- end }}

{{- /* list of the root and the ConfigMap whose files they are */}}
{{- define "sluice.files" -}}
{{ ((index . 0).Files.Glob (printf "files/%s/*" (index . 1))).AsConfig }}
{{- end }}

{{- define "sluice.regions" -}}
{{- $regions := .Values.controlPlane.keys.regions }}
{{- if not $regions }}
{{- range .Values.regions }}{{ $regions = append $regions (printf "%s/%s" .cloud .region) }}{{ end }}
{{- end }}
{{- join " " $regions }}
{{- end }}

{{- /* where the console reaches regions: those of this release by their Services */}}
{{- define "sluice.regionAddresses" -}}
{{- $addresses := dict }}
{{- range .Values.regions }}
{{- $_ := set $addresses (printf "%s/%s" .cloud .region) (printf "http://supervisor.%s" (include "sluice.regionNamespace" .)) }}
{{- end }}
{{- $addresses = mergeOverwrite $addresses (deepCopy .Values.controlPlane.console.regionAddresses) }}
{{- $pairs := list }}
{{- range $region, $address := $addresses }}{{ $pairs = append $pairs (printf "%s=%s" $region $address) }}{{ end }}
{{- join "," $pairs }}
{{- end }}

{{- /* with hosts of one's own for the APIs, a console at the default one would lead people who sign in to nowhere */}}
{{- define "sluice.checkConsole" -}}
{{- $control := .Values.controlPlane }}
{{- $default := "https://console.sluice.example" }}
{{- if and $control.console.enabled (eq $control.console.publicUrl $default) (ne $control.mainApi.publicUrl "https://api.sluice.example") }}
{{- fail "controlPlane.console.publicUrl: name the host of the web console, or set controlPlane.console.enabled to false" }}
{{- end }}
{{- end }}

{{- /* Jobs of keys make Secrets of these names, in these namespaces, and no others */}}
{{- define "sluice.checkKeys" -}}
{{- $control := .Values.controlPlane }}
{{- $names := list
  (list "controlPlane.namespace" $control.namespace "sluice")
  (list "controlPlane.mainApi.secret" $control.mainApi.secret "main-api")
  (list "controlPlane.audit.secret" $control.audit.secret "audit")
  (list "controlPlane.notifier.secret" $control.notifier.secret "notifier")
  (list "controlPlane.admin.secret" $control.admin.secret "admin")
}}
{{- range .Values.regions }}
{{- $default := include "sluice.regionNamespace" (omit . "namespace") }}
{{- $names = append $names (list "a region's namespace" (include "sluice.regionNamespace" .) $default) }}
{{- $names = append $names (list "a region's secret" (.secret | default $.Values.supervisor.secret) "supervisor") }}
{{- end }}
{{- range $names }}
{{- if ne (index . 1) (index . 2) }}
{{- fail (printf "%s is %s, and Jobs of keys make Secrets for %s: leave it out, or set controlPlane.keys.enabled to false" (index . 0) (index . 1) (index . 2)) }}
{{- end }}
{{- end }}
{{- end }}
