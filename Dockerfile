# The platform, built from this repository: docker build -t inlay-server .
# Data is in /data, unless DATABASE_URL is set. A configuration is read from /app/inlay.config.mjs.

FROM --platform=$BUILDPLATFORM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
# Built on the builder's own processor; only libsql depends on that of the image.
ARG TARGETARCH
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts \
  && npm run build
# Replaces the dependencies with those of the server, in the versions of the lockfile.
RUN npm ci --omit=dev --ignore-scripts -w @inlay/protocol -w @inlay/server --include-workspace-root=false \
  --os=linux --libc=glibc --cpu="$(echo "$TARGETARCH" | sed s/amd64/x64/)" \
  && mkdir /data

FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8787 \
  INLAY_DATA=/data
WORKDIR /app
COPY --from=build /source/node_modules ./node_modules
COPY --from=build /source/packages/protocol ./packages/protocol
COPY --from=build /source/packages/server ./packages/server
COPY --from=build --chown=node:node /data /data
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/meta/v1/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which does not forward SIGTERM.
CMD ["node", "node_modules/@inlay/server/dist/inlay-server.js"]
