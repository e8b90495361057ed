// A small static file server for dist/, on this machine only. It does no more than any static host
// does: no headers that the page would depend on, and compression only where it is asked for.
//
//   node tools/serve.mjs [PORT]     serves dist/ at PORT (8080), or at the next port that is free

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createGzip } from "node:zlib";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** What gets smaller by compression. */
const COMPRESSED = new Set([".css", ".html", ".js", ".json", ".mjs", ".svg", ".txt", ".wasm", ".webmanifest"]);

export const DIST = fileURLToPath(new URL("../dist/", import.meta.url));

/**
 * Serves `directory` below `prefix` ("/" or "/some/path/"); everything else is 404.
 * `port` 0 takes any free port. `attempts` is how many ports from `port` on are tried. `gzip` compresses
 * what gets smaller by it, as most hosts do.
 * Returns `{ url, requests, close }`; `requests` lists the paths asked for, in order.
 */
export async function serve({ directory = DIST, prefix = "/", port = 0, attempts = 1, types = TYPES, gzip = false } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const refuse = (status) => response.writeHead(status, { "content-type": "text/plain" }).end(`${status}\n`);
    let asked;
    try {
      asked = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    } catch {
      return refuse(400);
    }
    requests.push(asked);
    if (!asked.startsWith(prefix)) return refuse(404);
    const inside = asked.slice(prefix.length);
    const file = path.join(directory, inside === "" || inside.endsWith("/") ? `${inside}index.html` : inside);
    if (!file.startsWith(path.resolve(directory) + path.sep)) return refuse(404);
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) return refuse(404);
    const type = types[path.extname(file)] ?? "application/octet-stream";
    const isSmaller = gzip && COMPRESSED.has(path.extname(file)) && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    const size = isSmaller ? { "content-encoding": "gzip", vary: "accept-encoding" } : { "content-length": found.size };
    response.writeHead(200, { "content-type": type, "cache-control": "no-cache", ...size });
    if (request.method === "HEAD") return response.end();
    const content = createReadStream(file).on("error", () => response.destroy());
    (isSmaller ? content.pipe(createGzip()) : content).pipe(response);
  });

  for (let attempt = 0; ; attempt += 1) {
    const error = await new Promise((resolve) => {
      server.once("error", resolve);
      server.listen(port === 0 ? 0 : port + attempt, "127.0.0.1", () => {
        server.off("error", resolve);
        resolve(null);
      });
    });
    if (!error) break;
    if (error.code !== "EADDRINUSE" || attempt + 1 >= attempts) throw error;
  }
  return {
    url: `http://127.0.0.1:${server.address().port}${prefix}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = Number(process.argv[2] ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    console.error(`${process.argv[2]} is not a port: give a number from 1 to 65535`);
    process.exit(2);
  }
  const { url } = await serve({ port, attempts: 20 });
  console.log(`\nRegroup is at ${url}   (Ctrl-C stops it)`);
}
