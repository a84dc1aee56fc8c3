import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { AppConfig } from '../config/settings.js';
import { KeyChanges, NotifiedKeyChanges, RedisKeyChanges } from '../key-changes/key-changes.js';
import { PgNotifier } from '../persistence/database/pg-notifier.js';
import { FailFastRedis } from '../redis/redis.js';
import { Limiter } from './limiter.js';
import { MemoryLimiter } from './memory-limiter.js';
import { RedisLimiter } from './redis-limiter.js';

type LimitSettings = Pick<AppConfig, 'redisUrl' | 'redisPrefix' | 'rateLimitPerKey' | 'rateLimitPerOrganization'>;

/** Rate limits, and the changes of keys that are read with them: shared through Redis, or local to this process. */
@Global()
@Module({})
export class RateLimitModule {
  static register(config: LimitSettings, databaseUrl: string): DynamicModule {
    const minute = 60_000;
    return {
      module: RateLimitModule,
      imports: [
        ThrottlerModule.forRoot([
          { name: 'key', limit: config.rateLimitPerKey, ttl: minute },
          { name: 'org', limit: config.rateLimitPerOrganization, ttl: minute },
        ]),
      ],
      providers: [...notifications(databaseUrl), ...(config.redisUrl ? shared(config.redisUrl.reveal(), config.redisPrefix) : LOCAL)],
      exports: [ThrottlerModule, Limiter, KeyChanges],
    };
  }
}

function notifications(databaseUrl: string): Provider[] {
  return [{ provide: PgNotifier, useFactory: () => new PgNotifier({ connectionString: databaseUrl }) }];
}

async function listening<C extends KeyChanges>(changes: C, notifier: PgNotifier): Promise<C> {
  await notifier.start();
  return changes;
}

function shared(redisUrl: string, prefix: string): Provider[] {
  return [
    { provide: FailFastRedis, useFactory: () => new FailFastRedis(redisUrl, prefix) },
    {
      provide: RedisKeyChanges,
      useFactory: (redis: FailFastRedis, notifier: PgNotifier) => listening(new RedisKeyChanges(redis, notifier), notifier),
      inject: [FailFastRedis, PgNotifier],
    },
    { provide: KeyChanges, useExisting: RedisKeyChanges },
    {
      provide: Limiter,
      useFactory: (redis: FailFastRedis, changes: RedisKeyChanges) => new RedisLimiter(redis, changes),
      inject: [FailFastRedis, RedisKeyChanges],
    },
  ];
}

const LOCAL: Provider[] = [
  {
    provide: KeyChanges,
    useFactory: (notifier: PgNotifier) => listening(new NotifiedKeyChanges(notifier), notifier),
    inject: [PgNotifier],
  },
  {
    provide: Limiter,
    useFactory: (changes: KeyChanges) => new MemoryLimiter((subjects) => changes.lastOf(subjects)),
    inject: [KeyChanges],
  },
];
