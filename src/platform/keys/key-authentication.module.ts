import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { AppConfig } from '../config/settings.js';
import { Limiter } from '../rate-limit/limiter.js';
import { AuthFailures } from './auth-failures.js';
import { KeyAuthenticator } from './key-authenticator.js';
import { KEY_LIMITS, KeyLookup, type KeyLimits } from './key-lookup.js';

/**
 * Authenticates requests by API key or access token. Separate from ApiKeysModule because the command line has no Limiter. Needs Limiter,
 * KeyChanges, ScopeCatalog and BaseUrl.
 */
@Global()
@Module({})
export class KeyAuthenticationModule {
  static register(config: KeyLimits & Pick<AppConfig, 'rateLimitAuthFailuresPerAddress'>): DynamicModule {
    return {
      module: KeyAuthenticationModule,
      providers: [
        {
          provide: AuthFailures,
          useFactory: (limiter: Limiter) => new AuthFailures(limiter, config.rateLimitAuthFailuresPerAddress),
          inject: [Limiter],
        },
        { provide: KEY_LIMITS, useValue: config },
        KeyLookup,
        KeyAuthenticator,
      ],
      exports: [KeyAuthenticator],
    };
  }
}
