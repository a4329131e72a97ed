#!/usr/bin/env bash
# Gives CloudNativePG the passwords of the Secret databases, which `secrets` of docs/operations/kubernetes.md makes. Again after a password
# was changed or a region added.
set -euo pipefail
kubectl -n sluice-data get secret databases -o go-template='{{range $name, $value := .data}}{{$name}} {{$value}}{{"\n"}}{{end}}' \
  | while read -r file password; do
    role=${file/.writer/_writer}
    kubectl -n sluice-data create secret generic "postgresql-${role//_/-}" --type=kubernetes.io/basic-auth \
      --from-literal="username=$role" --from-file=password=<(base64 -d <<<"$password") --dry-run=client -o yaml \
      | kubectl label --local -f - cnpg.io/reload=true -o yaml \
      | kubectl apply --server-side --force-conflicts -f -
  done
