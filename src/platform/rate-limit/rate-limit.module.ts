import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import type { AppConfig } from '../config/settings.js';
import { KeysEpoch, LocalKeysEpoch, RedisKeysEpoch } from '../keys-epoch/keys-epoch.js';
import { PgNotifier } from '../persistence/database/pg-notifier.js';
import { FailFastRedis } from '../redis/redis.js';
import { Limiter } from './limiter.js';
import { MemoryLimiter } from './memory-limiter.js';
import { RedisLimiter } from './redis-limiter.js';

type LimitSettings = Pick<AppConfig, 'redisUrl' | 'rateLimitPerKey' | 'rateLimitPerOrganization'>;

/** Rate limits, and the keys' epoch that is read with them: shared through Redis, or local to this process. */
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
      providers: [...notifications(databaseUrl), ...(config.redisUrl ? shared(config.redisUrl.reveal()) : LOCAL)],
      exports: [ThrottlerModule, Limiter, KeysEpoch],
    };
  }
}

function notifications(databaseUrl: string): Provider[] {
  return [{ provide: PgNotifier, useFactory: () => new PgNotifier({ connectionString: databaseUrl }) }];
}

/** An epoch whose process is notified of changes. */
async function listening<E extends KeysEpoch>(epoch: E, notifier: PgNotifier): Promise<E> {
  await notifier.start();
  return epoch;
}

function shared(redisUrl: string): Provider[] {
  return [
    { provide: FailFastRedis, useFactory: () => new FailFastRedis(redisUrl) },
    {
      provide: RedisKeysEpoch,
      useFactory: (redis: FailFastRedis, notifier: PgNotifier) => listening(new RedisKeysEpoch(redis, notifier), notifier),
      inject: [FailFastRedis, PgNotifier],
    },
    { provide: KeysEpoch, useExisting: RedisKeysEpoch },
    {
      provide: Limiter,
      useFactory: (redis: FailFastRedis, epoch: RedisKeysEpoch) => new RedisLimiter(redis, epoch),
      inject: [FailFastRedis, RedisKeysEpoch],
    },
  ];
}

const LOCAL: Provider[] = [
  {
    provide: KeysEpoch,
    useFactory: (notifier: PgNotifier) => listening(new LocalKeysEpoch(notifier), notifier),
    inject: [PgNotifier],
  },
  { provide: Limiter, useFactory: (epoch: KeysEpoch) => new MemoryLimiter(() => epoch.current()), inject: [KeysEpoch] },
];
