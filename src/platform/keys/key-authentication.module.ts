import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { AppConfig } from '../config/settings.js';
import { Limiter } from '../rate-limit/limiter.js';
import { AuthFailures } from './auth-failures.js';
import { KeyAuthenticator } from './key-authenticator.js';

/** Authenticates requests by API key. Separate from ApiKeysModule because the command line has no Limiter. Needs Limiter and KeysEpoch. */
@Global()
@Module({})
export class KeyAuthenticationModule {
  static register({ rateLimitAuthFailuresPerAddress }: Pick<AppConfig, 'rateLimitAuthFailuresPerAddress'>): DynamicModule {
    return {
      module: KeyAuthenticationModule,
      providers: [
        {
          provide: AuthFailures,
          useFactory: (limiter: Limiter) => new AuthFailures(limiter, rateLimitAuthFailuresPerAddress),
          inject: [Limiter],
        },
        KeyAuthenticator,
      ],
      exports: [KeyAuthenticator],
    };
  }
}
