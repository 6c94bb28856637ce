// The conformance suite cannot send an access key, so it talks to the server through this: a proxy on loopback that adds
// the key to each request and changes nothing else.

import http from 'node:http';

/** Starts the proxy on a free port; answers its own address for `targetUrl` and how to end it. */
export async function addKeyOnTheWayTo(targetUrl, key) {
  const target = new URL(targetUrl);
  const proxy = http.createServer((request, response) => {
    const { method, url, headers } = request;
    const onward = http.request({
      host: target.hostname,
      port: target.port,
      method,
      path: url,
      headers: { ...headers, authorization: `Bearer ${key}` },
      // The suite sends foreign hosts on purpose, and they must arrive.
      setHost: false,
    });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502).end());
    // Hanging up is how a client of the stateless revision cancels, so that must arrive too.
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = new URL(target.pathname, `http://127.0.0.1:${proxy.address().port}`);
  const end = () => {
    proxy.close();
    proxy.closeAllConnections();
  };
  return { url: address.href, end };
}
