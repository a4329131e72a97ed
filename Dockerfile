# The images of Sluice. Node runs the sources directly, so an image is sources, production dependencies and Node:
#   docker build --target service --build-arg PROGRAM=main-api --tag sluice/main-api .      (or audit, notifier)
#   docker build --target console --build-arg PROGRAM=console-service --tag sluice/console .
#   docker build --target supervisor --build-arg PROGRAM=supervisor --build-arg BESIDES=node-agent --tag sluice/supervisor .
#   docker build --target node --build-arg PROGRAM=node-agent --tag sluice/node .
# `npm run images` builds them all (infra/src/images). They run as an ordinary user, write to /tmp and their volumes alone,
# and need no shell, but for `admin`.
ARG NODE_IMAGE=node:24-trixie-slim
ARG NATS_IMAGE=nats:2.15-alpine

# The broker. Debian's package has known weaknesses (docs/decisions/094).
FROM ${NATS_IMAGE} AS nats

# Node without what installs packages: nothing here runs it, and its dependencies have weaknesses of their own.
FROM ${NODE_IMAGE} AS runtime
ENV NODE_COMPILE_CACHE=/sluice/.cache/compiled
RUN rm -rf /usr/local/lib/node_modules /usr/local/include/node /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*

# What runs on a node besides its agent: the broker, and tini, which reaps a gateway that outlives its agent. tini is Debian's package,
# whose signature apt checks.
FROM runtime AS programs
COPY --from=nats /usr/local/bin/nats-server /usr/sbin/nats-server
RUN apt-get update \
  && apt-get install --yes --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/ldconfig /var/log/*.log /var/log/apt \
  && install --directory --owner 1000 --group 1000 --mode 700 /var/lib/sluice /var/lib/sluice/nodes /var/lib/sluice/backups /var/lib/sluice/keys

# The front door of Compose: HAProxy as Debian packages it.
FROM runtime AS front-door
RUN apt-get update \
  && apt-get install --yes --no-install-recommends haproxy \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/ldconfig /var/log/*.log /var/log/apt
COPY infra/front-door/haproxy.cfg /etc/haproxy/haproxy.cfg
USER 1000:1000
EXPOSE 8080
STOPSIGNAL SIGUSR1
HEALTHCHECK --interval=6s --timeout=10s --start-period=60s --retries=5 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8081/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["haproxy", "-db", "-f", "/etc/haproxy/haproxy.cfg"]

# What the lock file names, by its checksums; fetched once, also when the sources change.
FROM ${NODE_IMAGE} AS sources
WORKDIR /sluice
ENV CI=true
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.cjs ./
# pnpm itself is the one thing that the lock file does not name
ARG PNPM_SHA512=f49b5a8ea0fdedb44bb3c0c1d6575092a53c2950d95b7ad15df11f17974877a2de3a01c07e934e9b28ce716e51c09a94962c7306d09be2e1e4b18a8c8762fd32
RUN pnpm=$(node -p "require('./package.json').packageManager") \
  && file=$(cd /tmp && npm pack --silent "$pnpm") \
  && echo "$PNPM_SHA512  /tmp/$file" | sha512sum --check --quiet \
  && npm install --global --no-fund --no-audit "/tmp/$file" \
  && pnpm fetch --prod
COPY . .

# The web apps, as browsers get them. What builds them is installed here alone, by the checksums of the lock file too.
FROM sources AS web
# each is a package of this name, whose build.ts says where its files are
ARG WEB_APPS="console stream-ui"
RUN selected=$(for app in $WEB_APPS; do echo "--filter=@sluice/$app..."; done) \
  && rm -rf node_modules \
  && pnpm install --frozen-lockfile --ignore-scripts --filter=@sluice/infra --filter=@sluice/http... $selected
# the part of the client that is made of the OpenAPI documents
RUN mkdir -p .cache \
  && node --disable-warning=ExperimentalWarning infra/src/client/generate.ts image "$PWD/packages/client/src/generated" \
    $(for layer in main-api supervisor audit; do echo "$PWD/services/$layer/openapi"; done)
RUN mkdir /web \
  && for app in $WEB_APPS; do \
    folder=$(node --disable-warning=ExperimentalWarning "packages/$app/build.ts") && cp -r "$folder" "/web/$app" || exit 1; \
  done \
  && find /web -exec touch --no-dereference --date=@0 {} +

# One program, the packages that it depends on, and what these depend on: nothing that only tests need.
FROM sources AS files
ARG PROGRAM
# other programs of the same image
ARG BESIDES=
RUN : "${PROGRAM:?which program? --build-arg PROGRAM=main-api}" \
  && selected=$(for one in $PROGRAM $BESIDES; do echo "--filter-prod=@sluice/$one..."; done) \
  && rm -rf node_modules \
  && pnpm install --offline --frozen-lockfile --prod --no-optional $selected \
  && parts=$(pnpm $selected list --depth -1 --parseable | sed "s|^$PWD/||") \
  && own=$(pnpm "--filter=@sluice/$PROGRAM" list --depth -1 --parseable | sed "s|^$PWD/||") \
  && mkdir /image \
  && cp -a --parents package.json node_modules $parts /image/ \
  && install -D --mode 644 infra/catalogue.yaml /image/infra/catalogue.yaml \
  && ln -s "$own" /image/program \
  # declarations and source maps are half of it, and no program reads them
  && find /image/node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*s.map' \) -delete \
  # what Node makes of the sources: to load main-api takes 0.9 s of processor time with it, and 1.6 s without. It is made where the image will
  # have it, by the user who will run it; without settings a program loads all of itself, and says what is missing
  && install --directory --owner 1000 --group 1000 .cache .cache/compiled \
  && for main in $PROGRAM $BESIDES gateway connectors-runtime; do \
    for file in "services/${main%-service}/src/main.ts" services/node-agent/src/$main/main.ts; do \
      [ ! -e "/image/$file" ] || NODE_COMPILE_CACHE=$PWD/.cache/compiled setpriv --reuid=1000 --regid=1000 --clear-groups \
        node --disable-warning=ExperimentalWarning -e "setTimeout(process.exit, 10_000); import('$PWD/$file').catch(() => process.exit())" || true; \
    done; \
  done \
  && cp -a .cache /image/ && chown -R 0:0 /image/.cache && chmod -R a+rX /image/.cache \
  # when something was installed is no part of what was installed
  && rm -f /image/node_modules/.modules.yaml /image/node_modules/.pnpm-workspace-state*.json \
  && find /image -exec touch --no-dereference --date=@0 {} +

# A service: main-api, audit or notifier.
FROM runtime AS service
WORKDIR /sluice
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
COPY --from=files /image ./
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "program/src/main.ts"]

# The web console: its server, and the files of the web app.
FROM service AS console
ENV CONSOLE_FILES=/sluice/web/console
COPY --from=web /web/console web/console

# A supervisor whose nodes are elsewhere. It runs no broker and no agent, but machines of customers get both from it, and the page of streams.
FROM service AS supervisor
ENV STREAM_PAGE_FILES=/sluice/web/stream-ui
COPY --from=programs /usr/sbin/nats-server /usr/sbin/nats-server
COPY --from=web /web/stream-ui web/stream-ui

# A node: the agent and what it runs. It reports its health to its supervisor alone.
FROM programs AS node
WORKDIR /sluice
ENV NODE_ENV=production AGENT_HOME=/var/lib/sluice AGENT_GATEWAY_HOST=0.0.0.0 STREAM_PAGE_FILES=/sluice/web/stream-ui
COPY --from=files /image ./
COPY --from=web /web/stream-ui web/stream-ui
USER 1000:1000
VOLUME /var/lib/sluice
ENTRYPOINT ["tini", "--", "node", "--disable-warning=ExperimentalWarning", "program/src/main.ts"]

# The command line, as it is published: `npm run build:cli` comes before. Without a keyring a key comes by SLUICE_API_KEY, or is kept in a file of
# a volume at SLUICE_CONFIG_DIR.
FROM runtime AS cli
ENV NODE_ENV=production
COPY packages/cli/dist /sluice
RUN ln -s /sluice/sluice.js /usr/local/bin/sluice \
  && install --directory --owner 1000 --group 1000 /documents /sluice/.cache \
  && setpriv --reuid=1000 --regid=1000 --clear-groups node /sluice/sluice.js --help > /dev/null \
  && chown -R 0:0 /sluice/.cache && chmod -R a+rX /sluice/.cache
USER 1000:1000
WORKDIR /documents
ENTRYPOINT ["node", "/sluice/sluice.js"]

# A supervisor and the nodes of its region in one container, by the compute driver `local`: for Compose.
FROM programs AS region
WORKDIR /sluice
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 COMPUTE_DRIVER=local LOCAL_NODES_DIR=/var/lib/sluice/nodes \
  STREAM_PAGE_FILES=/sluice/web/stream-ui
COPY --from=files /image ./
COPY --from=web /web/stream-ui web/stream-ui
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=10s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "node", "--disable-warning=ExperimentalWarning", "program/src/main.ts"]

# For who operates an installation: `sluice-admin` and what makes keys, as commands. Compose makes its keys, databases and first tenant by it.
FROM runtime AS admin
WORKDIR /sluice
ENV NODE_ENV=production CATALOGUE_FILE=/sluice/infra/catalogue.yaml
# pg_dump and pg_restore of the same release as the servers: PostgreSQL refuses to dump a newer one. By their own folder, without the wrapper of Debian
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates postgresql-client-17 \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/ldconfig /var/log/*.log /var/log/apt
ENV PATH=/usr/lib/postgresql/17/bin:$PATH
# what volumes that are mounted there belong to
RUN for folder in installation secrets data; do install --directory --owner 1000 --group 1000 /$folder; done \
  && for service in admin audit main-api nats notifier postgres supervisor-cloud_a supervisor-cloud_b; do \
    install --directory --owner 1000 --group 1000 /secrets/$service; done
COPY --from=files /image ./
RUN for command in \
      sluice-admin=packages/admin/src/main.ts \
      sluice-dumps=packages/admin/src/dumps/main.ts \
      verify-audit-export=packages/admin/src/verify-audit-export.ts \
      kubernetes-secrets=infra/src/print-kubernetes-secrets.ts \
      nats-config=infra/src/nats-config.ts \
      new-keys=infra/src/new-keys.ts \
      kubernetes-keys=infra/src/keep-kubernetes-keys.ts; do \
    file=/usr/local/bin/${command%%=*} \
    && printf '#!/bin/sh\nexec node --disable-warning=ExperimentalWarning /sluice/%s "$@"\n' "${command#*=}" > "$file" \
    && chmod 755 "$file" || exit 1; \
  done
USER 1000:1000
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning"]
