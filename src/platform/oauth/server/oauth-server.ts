import type { IncomingMessage } from 'node:http';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Adapter, InteractionResults, Provider } from 'oidc-provider';
import { DataSource } from 'typeorm';
import { Lazy } from '../../../kit/index.js';
import { BaseUrl } from '../../config/base-url.js';
import { mcpAddress } from '../../config/mcp-address.js';
import { SecretBox } from '../../config/secret-box.js';
import { callListener, type InnerCall, type Routing } from '../../http/in-process/inner-call.js';
import type { HttpResponse } from '../../request/server-request.js';
import { connectableScopes } from '../../keys/connection-scopes.js';
import { ScopeCatalog } from '../../keys/scope-catalog.js';
import { limitKeyOf } from '../../net/address.js';
import { poolOf } from '../../persistence/database/pool.js';
import { Limiter, type Admission } from '../../rate-limit/limiter.js';
import type { LimitedCaller } from '../../rate-limit/limits.guard.js';
import { MetadataFetch } from '../clients/metadata-fetch.js';
import type { Json } from '../clients/json.js';
import { OAUTH_PATHS } from '../discovery/metadata.js';
import { ClientAdapter } from '../storage/client-adapter.js';
import { Connections, GrantAdapter } from '../storage/connections.js';
import { NoSessions } from '../storage/no-sessions.js';
import { RecordAdapter } from '../storage/record-adapter.js';
import { configuration, REQUEST_COOKIE, RESUME_COOKIE, SESSION_COOKIE } from './configuration.js';
import { NAMES_NO_SCOPE } from './normalized-requests.js';

export const CONSENT_PATH = '/console/authorize';
export const OAUTH_SETTINGS = Symbol('oauth settings');

export interface OAuthSettings {
  hasSecureCookies: boolean;
  /** Registrations, and reads of metadata documents, in ten minutes. */
  clientsPerAddress: number;
  /** Requests for tokens in a minute. */
  tokensPerAddress: number;
  /** Other requests in a minute. */
  requestsPerAddress: number;
  /** The clients that whoever runs the service has registered. */
  clients: ReadonlyMap<string, Json>;
}

/** Who vouches for a client: the host of its metadata document, whoever runs the service, or nobody. */
type ClientIdentity = 'document' | 'operator' | 'none';

/** A client's request for authorization that waits for a member. */
export interface PendingRequest {
  id: string;
  clientId: string;
  /** As the client calls itself. */
  clientName: string | null;
  identity: ClientIdentity;
  redirectUri: string;
  /** What it can get. */
  scopes: readonly string[];
  /** Whether it has asked for these scopes by their names, rather than for none. */
  namesScopes: boolean;
}

/**
 * The OAuth library, loaded by the first request that needs it. Its requests run in process, so that hooks, limits and headers are the
 * same as for all other routes, and the library sees only what is passed on here.
 */
@Injectable()
export class OAuthServer implements OnApplicationShutdown {
  readonly scopes: readonly string[];
  private readonly loaded = new Lazy(() => this.load());

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly baseUrl: BaseUrl,
    private readonly box: SecretBox,
    private readonly connections: Connections,
    private readonly limiter: Limiter,
    private readonly documents: MetadataFetch,
    catalog: ScopeCatalog,
    @Inject(OAUTH_SETTINGS) private readonly settings: OAuthSettings,
  ) {
    this.scopes = connectableScopes(catalog);
  }

  onApplicationShutdown(): Promise<void> {
    return this.documents.close();
  }

  /** Runs a request to one of the library's paths. `address` is the client's. */
  async respond(outer: IncomingMessage, address: string, call: InnerCall): Promise<HttpResponse> {
    const { listener } = await this.loaded.get();
    const { host, protocol } = new URL(this.baseUrl.value);
    const headers = { ...call.headers, host, 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-for': address };
    const response = await callListener(listener, outer, { ...call, headers });
    return { ...response, headers: { ...response.headers, 'set-cookie': this.ownCookies(response) } };
  }

  /** Whether the browser made the request: an id alone may come from a link of somebody else. */
  isMadeBy(cookieHeader: string | undefined, id: string): boolean {
    return cookieNamed(REQUEST_COOKIE, cookieHeader) === id;
  }

  /** The request of this id, if it was made in this browser and still waits. */
  async pending(id: string, cookieHeader: string | undefined): Promise<PendingRequest | null> {
    if (!this.isMadeBy(cookieHeader, id)) return null;
    const { provider } = await this.loaded.get();
    const found = await provider.Interaction.find(id);
    if (!found || found.result) return null;
    const {
      client_id,
      redirect_uri,
      scope,
      [NAMES_NO_SCOPE]: namesNone,
    } = found.params as Record<string, string> & { [NAMES_NO_SCOPE]?: string };
    const client = await provider.Client.find(client_id).catch(() => undefined);
    if (!client) return null;
    return {
      id,
      clientId: client_id,
      clientName: client.clientName ?? null,
      identity: client.clientIdMetadataDocument === true ? 'document' : this.settings.clients.has(client_id) ? 'operator' : 'none',
      redirectUri: redirect_uri,
      scopes: scope.split(' '),
      namesScopes: namesNone === undefined,
    };
  }

  /** Ends a pending request. Returns the address at which the client waits for the code or the error. */
  async finish(outer: IncomingMessage, address: string, id: string, result: InteractionResults): Promise<string> {
    const { provider } = await this.loaded.get();
    const found = await provider.Interaction.find(id);
    if (!found) throw new Error('The authorization request has expired.');
    found.result = result;
    await found.save(Math.max(1, found.exp! - Math.floor(Date.now() / 1000)));
    const response = await this.respond(outer, address, {
      method: 'GET',
      url: `${OAUTH_PATHS.authorization}/${encodeURIComponent(id)}`,
      headers: { cookie: `${RESUME_COOKIE}=${id}`, accept: 'text/html' },
      body: undefined,
    });
    const { location } = response.headers;
    if (typeof location !== 'string') throw new Error(`The authorization request ended without a redirect (${response.status}).`);
    return location;
  }

  /** Charges a registration or the read of a metadata document to the address that caused it. */
  async chargeClient(kind: 'registration' | 'document', address: string): Promise<Admission> {
    const limit = this.settings.clientsPerAddress;
    return this.limiter.admit([{ name: `oauth_${kind}`, id: limitKeyOf(address), limit, windowSeconds: 600 }]);
  }

  /** The limit of an address: of requests for tokens, which many people behind one address send, and of all others. */
  callerFrom(address: string, kind: 'tokens' | 'requests'): LimitedCaller {
    const limit = kind === 'tokens' ? this.settings.tokensPerAddress : this.settings.requestsPerAddress;
    const buckets = [{ name: `oauth_${kind}`, id: limitKeyOf(address), limit, windowSeconds: 60 }];
    return { bucketsFor: () => buckets };
  }

  private async load(): Promise<{ provider: Provider; listener: Routing }> {
    const library = await import('oidc-provider');
    const issuer = this.baseUrl.value;
    const provider = new library.Provider(
      issuer,
      configuration(library, {
        resource: mcpAddress(issuer),
        scopes: this.scopes,
        adapter: (model) => this.adapterFor(model),
        fetch: this.documents.fetch,
        mayFetch: async (address) => (await this.chargeClient('document', address)).admitted,
        consentPage: (id) => `${issuer}${CONSENT_PATH}/${id}`,
      }),
    );
    // the headers are those of `respond`
    provider.proxy = true;
    return { provider, listener: provider.callback() as Routing };
  }

  private adapterFor(model: string): Adapter {
    const pool = poolOf(this.dataSource);
    if (model === 'Client') return new ClientAdapter(pool, this.box, this.settings.clients);
    if (model === 'Grant') return new GrantAdapter(this.connections);
    if (model === 'Session') return new NoSessions();
    return new RecordAdapter(model, pool, this.connections);
  }

  /** Without the cookie of sessions, which are not stored. */
  private ownCookies({ headers }: HttpResponse): string[] {
    const cookies = [headers['set-cookie'] ?? []].flat().map(String);
    return cookies
      .filter((cookie) => !cookie.startsWith(`${SESSION_COOKIE}=`))
      .map((cookie) => (this.settings.hasSecureCookies && !/;\s*secure/i.test(cookie) ? `${cookie}; secure` : cookie));
  }
}

function cookieNamed(name: string, header: string | undefined): string | undefined {
  const found = header?.split(';').find((pair) => pair.trimStart().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1);
}
