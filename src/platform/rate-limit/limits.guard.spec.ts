import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type ArgumentsHost, Catch, Controller, type ExceptionFilter, Get, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { ThrottlerModule } from '@nestjs/throttler';
import type { FastifyReply } from 'fastify';
import { type Bucket, Limiter } from './limiter.js';
import { type LimitedCaller, LimitsGuard } from './limits.guard.js';
import { MemoryLimiter } from './memory-limiter.js';
import { RateLimited } from './rate-limited.error.js';

const KEY: Bucket = { name: 'key', id: 'k', limit: 2, windowSeconds: 60 };
const ORG: Bucket = { name: 'org', id: 'o', limit: 600, windowSeconds: 60 };
const pair = [KEY, ORG];
let now = 0;
let caller: LimitedCaller | undefined;
let served = 0;

@Controller()
class Routes {
  @Get('a') a() {
    served++;
    return {};
  }
  @Get('b') b() {
    return {};
  }
}

@Catch(RateLimited)
class Rejections implements ExceptionFilter<RateLimited> {
  catch(error: RateLimited, host: ArgumentsHost) {
    void host.switchToHttp().getResponse<FastifyReply>().code(429).send({ seconds: error.retryAfterSeconds });
  }
}

@Module({
  imports: [
    ThrottlerModule.forRoot([
      { name: 'key', limit: 60, ttl: 60_000 },
      { name: 'org', limit: 600, ttl: 60_000 },
    ]),
  ],
  controllers: [Routes],
  providers: [
    {
      provide: Limiter,
      useFactory: () =>
        new MemoryLimiter(
          () => 7,
          () => now,
        ),
    },
    { provide: APP_GUARD, useClass: LimitsGuard },
    { provide: APP_FILTER, useClass: Rejections },
  ],
})
class TestModule {}

let app: NestFastifyApplication;
beforeAll(async () => {
  const testing = await Test.createTestingModule({ imports: [TestModule] }).compile();
  app = testing.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (request) => {
      (request as { caller?: LimitedCaller }).caller = caller;
    });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
});
afterAll(() => app.close());
beforeEach(() => {
  now += 120_000;
  caller = { bucketsFor: () => pair };
  served = 0;
});

const limitFields = (headers: object) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^ratelimit|^retry|^x-rate/.test(name)));

test('one quota for all routes, sent with every response and with the rejection', async () => {
  const policy = '"key";q=2;w=60, "org";q=600;w=60';
  const fields = { 'ratelimit-limit': '2', 'ratelimit-reset': '60', 'ratelimit-policy': policy };
  expect(limitFields((await app.inject('/a')).headers)).toEqual({ ...fields, 'ratelimit-remaining': '1' });
  expect(limitFields((await app.inject('/b')).headers)).toEqual({ ...fields, 'ratelimit-remaining': '0' });
  now += 20_500;
  const rejected = await app.inject('/a');
  expect(rejected.statusCode).toBe(429);
  expect(rejected.json()).toEqual({ seconds: 40 });
  expect(limitFields(rejected.headers)).toEqual({ ...fields, 'ratelimit-remaining': '0', 'ratelimit-reset': '40', 'retry-after': '40' });
  expect(served).toBe(1);
  caller = { bucketsFor: () => [ORG] };
  expect((await app.inject('/a')).headers['ratelimit-remaining']).toBe('597');
});

test('a caller that is no longer valid is rejected as such, even over its limit', async () => {
  const requested: number[] = [];
  await app.inject('/a');
  await app.inject('/a');
  caller = {
    bucketsFor: () => pair,
    confirm: async (changedAt) => {
      requested.push(changedAt);
      throw new Error('revoked');
    },
  };
  expect((await app.inject('/a')).statusCode).toBe(500);
  expect(requested).toEqual([7]);
  expect(served).toBe(2);
});

test('a raised limit applies to the next request, although it is read only after the admission', async () => {
  const raised = [{ ...KEY, limit: 5 }, ORG];
  await app.inject('/a');
  await app.inject('/a');
  let current = pair;
  caller = { bucketsFor: () => current, confirm: async () => void (current = raised) };
  const response = await app.inject('/a');
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({
    'ratelimit-limit': '5',
    'ratelimit-remaining': '2',
    'ratelimit-policy': '"key";q=5;w=60, "org";q=600;w=60',
  });
});

test.each([
  ['no caller', undefined],
  ['no buckets', { bucketsFor: () => [] }],
])('%s: not limited', async (_, value) => {
  caller = value;
  for (let i = 0; i < 5; i++) expect(limitFields((await app.inject('/a')).headers)).toEqual({});
  expect(served).toBe(5);
});
