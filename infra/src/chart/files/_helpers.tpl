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
