import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ProductCalls } from '../../src/console/calls/product-calls.js';
import { PageVisitors } from '../../src/platform/http/callers/page-visitors.js';
import { RateLimited } from '../../src/platform/rate-limit/rate-limited.error.js';

// What the console cannot show. Runs in the application's process.

const WAIT_SECONDS = 7;

/** From now on, the member's pages are too many, or their calls find an outage; null ends it. */
export function refusePages(app: NestFastifyApplication, memberId: string, how: 'limit' | 'outage' | null): void {
  const [visitors, calls] = [app.get(PageVisitors), app.get(ProductCalls)];
  // without properties of their own, both are as before
  Reflect.deleteProperty(visitors, 'charge');
  Reflect.deleteProperty(calls, 'send');
  const { charge, send } = { charge: visitors.charge.bind(visitors), send: calls.send.bind(calls) };
  if (how === 'limit')
    visitors.charge = (request, reply, visitor) =>
      visitor?.member.id === memberId ? Promise.reject(new RateLimited(WAIT_SECONDS)) : charge(request, reply, visitor);
  if (how === 'outage')
    calls.send = async <Body>(...[request, call]: Parameters<ProductCalls['send']>) => {
      const visitor = await visitors.find(request);
      if (visitor?.member.id !== memberId) return send<Body>(request, call);
      const error = { code: 'unavailable', message: 'The database cannot be reached.', request_id: request.state.requestId };
      return { status: 503, headers: { 'retry-after': String(WAIT_SECONDS) }, error };
    };
}
