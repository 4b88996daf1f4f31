# The platform, built from this repository: docker build -t inlay-server .
# Data is in /data, unless DATABASE_URL is set. A configuration is read from /app/inlay.config.mjs.

FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts \
  && npm run build
# Replaces the dependencies with those of the server, in the versions of the lockfile.
RUN npm ci --omit=dev --ignore-scripts -w @inlay/protocol -w @inlay/server --include-workspace-root=false

FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8787 \
  INLAY_DATA=/data
WORKDIR /app
COPY --from=build /source/node_modules ./node_modules
COPY --from=build /source/packages/protocol ./packages/protocol
COPY --from=build /source/packages/server ./packages/server
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/meta/v1/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which does not forward SIGTERM.
CMD ["node", "node_modules/@inlay/server/dist/inlay-server.js"]
