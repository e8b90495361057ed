// The service worker: keeps every file of one version of the page, so that the page starts without a network.
//
// A new version is fetched whole beside the old one and then waits. It takes over when no page of the old
// version is open any more; never under a running page.
// tools/precache.mjs puts the list of files, with their hashes, in place of the first line of code.

const FILES = {};

// Several copies may live on one host, below different paths; each has its own cache.
const PREFIX = `regroup ${new URL(self.registration.scope).pathname} `;
const CACHE = PREFIX + FILES["index.html"];
const START = new URL("./index.html", self.registration.scope).href;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      // With the hash, no file of another version can slip in while the host is being updated.
      const requests = Object.entries(FILES).map(
        ([name, integrity]) => new Request(new URL(`./${name}`, self.registration.scope), { integrity, cache: "no-cache" }),
      );
      await cache.addAll(requests);
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
      await Promise.all(old.map((name) => caches.delete(name)));
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(
    (async () => {
      const url = new URL(request.url);
      const cache = await caches.open(CACHE);
      const wanted = url.origin + url.pathname;
      const kept = await cache.match(wanted === self.registration.scope ? START : wanted);
      return kept ?? fetch(request);
    })(),
  );
});
