#!/bin/sh
# Makes this machine a node of a Sluice deployment, or with --remove ends it and removes all that belongs to it.
#   SLUICE_NODE=90 SLUICE_TOKEN=… sh sluice-enrol.sh
# SLUICE_DIR      folder of the node, programs and data (default: /var/lib/sluice/node-<id>)
# SLUICE_KEYS     folder of the key that seals secrets in that folder, best on another disk (default: /etc/sluice)
# SLUICE_ADDRESS  address at which clients reach this machine (default: the one by which it reaches the supervisor)
# SLUICE_PRIVATE  true: clients reach it at a private address alone, and it listens on no other
# SLUICE_PORTS    ports of the gateway by protocol (default: broker_tcp=4222,broker_websocket=8080,broker_http=8222)
set -eu
umask 077

supervisor=@SUPERVISOR@
digest=@DIGEST@
platform=@PLATFORM@
authority=@AUTHORITY@

fail() { echo "sluice: $*" >&2; exit 1; }
node=${SLUICE_NODE:-}
case $node in '' | *[!0-9]*) fail 'SLUICE_NODE has to be the number of a node.' ;; esac
[ "$(id -u)" = 0 ] || fail 'this has to be run as root.'
dir=${SLUICE_DIR:-/var/lib/sluice/node-$node}
case $dir in /*[!A-Za-z0-9/._-]*) fail 'SLUICE_DIR may have letters, digits and /._- only.' ;; /?*) ;; *) fail 'SLUICE_DIR has to be absolute.' ;; esac
keys=${SLUICE_KEYS:-/etc/sluice}
case $keys in /*[!A-Za-z0-9/._-]*) fail 'SLUICE_KEYS may have letters, digits and /._- only.' ;; /?*) ;; *) fail 'SLUICE_KEYS has to be absolute.' ;; esac
unit=sluice-node-$node
# in memory
run=/run/$unit
has_systemd() { [ -d /run/systemd/system ]; }

# Whether the process $1 keeps the agent running; one that this shell has begun and not waited for stays known to `kill -0` when it has ended.
keeps() { tr '\0' ' ' 2>/dev/null < "/proc/$1/cmdline" | grep -qF "$dir/keep.sh"; }

# Ends the keeper, which ends the agent and its broker, and waits for it.
end_keeper() {
  if has_systemd; then systemctl stop "$unit" 2>/dev/null || true; fi
  [ -s "$dir/keeper.pid" ] || return 0
  keeper=$(cat "$dir/keeper.pid")
  keeps "$keeper" || return 0
  kill "$keeper" 2>/dev/null || return 0
  tries=0
  while keeps "$keeper" && [ "$tries" -lt 60 ]; do sleep 1; tries=$((tries + 1)); done
}

if [ "${1:-}" = --remove ]; then
  end_keeper
  if has_systemd; then
    systemctl disable "$unit" 2>/dev/null || true
    rm -f "/etc/systemd/system/$unit.service"
  fi
  rm -rf "$dir" "$run" "$keys/$unit.cred" "$keys/$unit.key"
  echo "sluice: node $node is removed from this machine."
  exit 0
fi

[ -n "${SLUICE_TOKEN:-}" ] || fail 'SLUICE_TOKEN is missing: get a command from the Supervisor API.'
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) here=linux-x64 ;;
  Linux-aarch64) here=linux-arm64 ;;
  *) here="$(uname -s)-$(uname -m)" ;;
esac
[ "$here" = "$platform" ] || fail "this machine is $here, and the programs are for $platform."
for program in tar gzip sha256sum setpriv; do
  command -v "$program" > /dev/null || fail "this machine has no $program."
done

mkdir -p "$dir"
chmod 711 "$dir"
if [ -n "$authority" ]; then printf '%s' "$authority" | base64 -d > "$dir/authority.pem"; chmod 644 "$dir/authority.pem"; fi

# Fetches $1 to $2; a machine has curl or wget.
fetch() {
  if command -v curl > /dev/null; then
    set -- --fail --silent --show-error --location --retry 5 --output "$2" "$1"
    if [ -n "$authority" ]; then set -- --cacert "$dir/authority.pem" "$@"; fi
    curl "$@"
  else
    set -- -q -O "$2" "$1"
    if [ -n "$authority" ]; then set -- --ca-certificate="$dir/authority.pem" "$@"; fi
    wget "$@"
  fi
}

programs=$dir/programs-$digest
if [ ! -e "$programs/complete" ]; then
  archive=$dir/programs.tar.gz
  fetch "$supervisor/agent/v1/programs/$digest" "$archive" || fail 'the programs could not be fetched.'
  echo "$digest  $archive" | sha256sum -c - > /dev/null || fail 'the programs are not those of the supervisor.'
  rm -rf "$programs"
  mkdir -p "$programs"
  tar -xzf "$archive" -C "$programs" -o
  rm -f "$archive"
  chmod -R a+rX "$programs"
  touch "$programs/complete"
fi

# an ordinary user, who owns nothing but the node
user=${SLUICE_USER:-65534}
setpriv --reuid "$user" --regid "$user" --clear-groups "$programs/node" --version > /dev/null ||
  fail "the programs do not run on this system, or the user $user cannot reach $programs."
end_keeper
if [ -e "$dir/agent.log" ]; then mv "$dir/agent.log" "$dir/agent.log.1"; fi
mkdir -p "$dir/home"
chown -R "$user:$user" "$dir/home"
printf '%s' "$SLUICE_TOKEN" > "$dir/enrolment-token"
chown "$user" "$dir/enrolment-token"
# A copy of the node's folder reveals no secret without this key. systemd encrypts it for this machine, by its TPM where it has one.
mkdir -p "$keys"
if [ ! -e "$keys/$unit.cred" ] && [ ! -e "$keys/$unit.key" ]; then
  key=1:$(head -c 32 /dev/urandom | base64)
  if ! has_systemd || ! printf '%s' "$key" |
    systemd-creds encrypt --with-key=auto --name=sealing-key - "$keys/$unit.cred" > /dev/null 2>&1; then
    rm -f "$keys/$unit.cred"
    printf '%s' "$key" > "$keys/$unit.key"
  fi
fi
cat > "$dir/agent.env" << END
AGENT_HOME=$dir/home
AGENT_SEALING_KEY_FILE=$run/sealing-key
AGENT_RUNTIME_DIR=$run/agent
AGENT_TOKEN_FILE=$dir/enrolment-token
AGENT_SUPERVISOR_URL=$supervisor
AGENT_BUILD=$(echo "$digest" | cut -c 1-12)
AGENT_GATEWAY_HOST=0.0.0.0
AGENT_PRIVATE_ADDRESS=${SLUICE_PRIVATE:-false}
AGENT_PROTOCOL_PORTS=${SLUICE_PORTS:-broker_tcp=4222,broker_websocket=8080,broker_http=8222}
AGENT_ADDRESS=${SLUICE_ADDRESS:-auto}
AGENT_ENDS_NODE=true
NATS_SERVER_PATH=$programs/nats-server
STREAM_PAGE_FILES=$programs/stream-page
@ENVIRONMENT@
END
if [ -n "$authority" ]; then echo "NODE_EXTRA_CA_CERTS=$dir/authority.pem" >> "$dir/agent.env"; fi

# Keeps the agent running, as its user, until it has left, or this is ended.
cat > "$dir/keep.sh" << END
#!/bin/sh
set -u
echo \$\$ > "$dir/keeper.pid"
key=$keys/$unit.key
[ -e "\$key" ] || key=\${CREDENTIALS_DIRECTORY:-}/sealing-key
rm -rf "$run"
{ mkdir -m 700 "$run" && cp "\$key" "$run/sealing-key" && chown -R "$user:$user" "$run"; } >> "$dir/agent.log" 2>&1 || exit 1
agent=
ending=
trap 'ending=1; [ -z "\$agent" ] || kill "\$agent" 2>/dev/null' TERM INT
pause=1
while [ -z "\$ending" ]; do
  begun=\$(date +%s)
  (
    cd "$dir/home" || exit 1
    while IFS= read -r line; do export "\${line?}"; done < "$dir/agent.env"
    exec setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs \\
      "$programs/node" --disable-warning=ExperimentalWarning "$programs/sluice/services/node-agent/src/main.ts" "$dir/home"
  ) >> "$dir/agent.log" 2>&1 < /dev/null &
  agent=\$!
  while kill -0 "\$agent" 2>/dev/null; do wait "\$agent"; done
  if [ -e "$dir/home/left" ]; then
    rm -f "/etc/systemd/system/multi-user.target.wants/$unit.service" "/etc/systemd/system/$unit.service"
    rm -rf "$dir" "$run" "$keys/$unit.cred" "$keys/$unit.key"
    exit 0
  fi
  [ \$((\$(date +%s) - begun)) -gt 60 ] && pause=1
  if [ "\$(wc -c < "$dir/agent.log")" -gt 16777216 ]; then mv "$dir/agent.log" "$dir/agent.log.1"; fi
  if [ -z "\$ending" ]; then sleep "\$pause"; pause=\$((pause < 30 ? pause * 2 : 30)); fi
done
rm -f "$dir/keeper.pid"
rm -rf "$run"
END

credential=
if [ -e "$keys/$unit.cred" ]; then credential=LoadCredentialEncrypted=sealing-key:$keys/$unit.cred; fi
if has_systemd; then
  cat > "/etc/systemd/system/$unit.service" << END
[Unit]
Description=Sluice node $node
Wants=network-online.target
After=network-online.target
[Service]
ExecStart=/bin/sh $dir/keep.sh
Restart=on-failure
KillMode=mixed
TimeoutStopSec=60
LimitNOFILE=1048576
$credential
[Install]
WantedBy=multi-user.target
END
  systemctl daemon-reload
  systemctl enable --quiet "$unit"
  systemctl start "$unit"
else
  setsid sh "$dir/keep.sh" > /dev/null 2>&1 < /dev/null &
  echo "sluice: this machine has no systemd: have it run sh $dir/keep.sh when it starts."
fi

tries=0
until grep -q '"enrolled_as":{' "$dir/home/identity.json" 2>/dev/null &&
  grep -qF "$(printf '%s' "$SLUICE_TOKEN" | sha256sum | cut -d ' ' -f 1)" "$dir/home/identity.json"; do
  tries=$((tries + 1))
  if [ "$tries" -gt 120 ] || grep -q '"reason":"the supervisor answered the enrolment with 4' "$dir/agent.log" 2>/dev/null; then
    tail -n 5 "$dir/agent.log" >&2 || true
    end_keeper
    fail 'the machine was not taken for the node. If it has held data that is not here, accept the loss of the data first; else get another command.'
  fi
  sleep 0.5
done
rm -f "$dir/enrolment-token"
echo "sluice: this machine is node $node now."
