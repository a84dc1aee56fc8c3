// A receiver in a separate process that responds immediately; GET returns the number of POSTs.
import { createServer } from 'node:http';

let count = 0;
const server = createServer((request, response) => {
  if (request.method === 'POST') count++;
  request.resume();
  response.end(request.method === 'POST' ? 'ok' : String(count));
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit(0));
