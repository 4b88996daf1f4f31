# The platform, built from this repository: docker build -t inlay-server .
# Data is in /data, unless DATABASE_URL is set. A configuration is read from /app/inlay.config.mjs.

FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts \
  && npm run build \
  && mkdir /packed \
  && npm pack -w @inlay/protocol -w @inlay/server --pack-destination /packed

FROM node:22-bookworm-slim
ENV NODE_ENV=production \
  HOST=0.0.0.0 \
  PORT=8787 \
  INLAY_DATA=/data
WORKDIR /app
COPY --from=build /packed /packed
RUN npm install --no-save /packed/*.tgz \
  && npm cache clean --force \
  && mkdir /data \
  && chown node:node /data
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/meta/v1/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm, which does not forward SIGTERM.
CMD ["node", "node_modules/@inlay/server/dist/inlay-server.js"]
