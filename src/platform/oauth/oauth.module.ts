import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { hasSecureCookies } from '../config/config.js';
import type { AppConfig } from '../config/settings.js';
import { TargetRules } from '../net/target-rules.js';
import { configuredClients } from './clients/configured-clients.js';
import type { Json } from './clients/json.js';
import { MetadataFetch } from './clients/metadata-fetch.js';
import { ConsentController } from './consent/consent.controller.js';
import { ConsentService } from './consent/consent.service.js';
import { OfferedScopes } from './consent/offered-scopes.js';
import { OAUTH_SETTINGS, OAuthServer, type OAuthSettings } from './server/oauth-server.js';
import { ConsentDecisions } from './storage/consent-decisions.js';
import { Connections } from './storage/connections.js';
import { OAuthClient } from './storage/oauth-client.entity.js';
import { OAuthRecord } from './storage/oauth-record.entity.js';
import { UnusedConnections } from './storage/unused-connections.js';

/** The authorization server for MCP clients and its pages; see install.ts for its endpoints. */
@Module({})
export class OAuthModule {
  static register(config: AppConfig): DynamicModule {
    const settings: OAuthSettings = {
      hasSecureCookies: hasSecureCookies(config),
      clientsPerAddress: config.rateLimitOauthClientsPerAddress,
      tokensPerAddress: config.rateLimitOauthTokensPerAddress,
      requestsPerAddress: config.rateLimitPerPublicAddress,
      clients: configuredClients(JSON.parse(config.oauthClients?.reveal() ?? '[]') as Json[]),
    };
    return {
      module: OAuthModule,
      imports: [TypeOrmModule.forFeature([OAuthClient, OAuthRecord])],
      controllers: [ConsentController],
      providers: [
        { provide: OAUTH_SETTINGS, useValue: settings },
        {
          provide: MetadataFetch,
          useFactory: () =>
            new MetadataFetch(
              new TargetRules({
                allowHttp: false,
                allowLoopback: config.nodeEnv === 'development',
                allowedRanges: config.webhookAllowedRanges,
              }),
            ),
        },
        ConsentDecisions,
        Connections,
        OAuthServer,
        OfferedScopes,
        UnusedConnections,
        ConsentService,
      ],
    };
  }
}
