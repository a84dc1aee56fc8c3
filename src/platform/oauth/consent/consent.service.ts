import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import { DataSource } from 'typeorm';
import { DAY_MS, DomainError, isUuid, Members, redirect, Store, type FileResponse, type FormProblem } from '../../../kit/index.js';
import { CONSOLE_PATHS } from '../../config/console-paths.js';
import { ApiKeysService } from '../../keys/api-keys.service.js';
import { MANAGE_KEYS } from '../../keys/keys.permissions.js';
import { Project } from '../../people/model/project.entity.js';
import { confirmedUntil } from '../../people/sessions/confirmation.js';
import { sessionTokenOf } from '../../people/sessions/session-cookie.js';
import { SessionReader, type SignedIn } from '../../people/sessions/session-reader.js';
import { poolOf } from '../../persistence/database/pool.js';
import { CallContext } from '../../persistence/transactions/call-context.js';
import { isSecret } from '../../request/secret-comparison.js';
import { returnsTo } from '../clients/client-metadata.js';
import { CONSENT_PATH, OAuthServer, type PendingRequest } from '../server/oauth-server.js';
import { ConsentDecisions, type ConsentDecision } from '../storage/consent-decisions.js';
import { Connections } from '../storage/connections.js';
import { consentPage, expiredPage, notAllowedPage, returnPage, secondFactorPage } from './consent-page.js';
import { DEFAULT_END, ENDS, type ConsentBody } from './consent.dto.js';
import { OfferedScopes } from './offered-scopes.js';

const NONE: ReadonlySet<string> = new Set();
const MOST_NAMES = 5;

/** The fields of the page by the parameters of the key. */
const FIELD_OF: Readonly<Record<string, string>> = { scopes: 'scopes', project_id: 'project', expires_at: 'ends' };

/** The member and their organization, as of this request. */
interface Visitor extends SignedIn {
  organization: string;
}

/** What the consent page shows and does. The product's session determines who is signed in, at each request. */
@Injectable()
export class ConsentService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly server: OAuthServer,
    private readonly sessions: SessionReader,
    private readonly keys: ApiKeysService,
    private readonly connections: Connections,
    private readonly decisions: ConsentDecisions,
    private readonly store: Store,
    private readonly members: Members,
    private readonly offered: OfferedScopes,
  ) {}

  show(id: string, request: FastifyRequest): Promise<FileResponse> {
    return this.withVisitor(id, request, (pending, visitor) => this.form(pending, visitor), expiredPage);
  }

  answer(id: string, body: ConsentBody, request: FastifyRequest): Promise<FileResponse> {
    const show = async (pending: PendingRequest, visitor: Visitor) => {
      if (!isSecret(body.csrf, visitor.csrfToken))
        return this.form(pending, visitor, body, [
          { field: null, text: 'The page is out of date. Check your selection and send it again.' },
        ]);
      if (body.decision === 'cancel') return this.cancel(pending, visitor, request);
      const choice = choiceOf(body);
      if ('problems' in choice) return this.form(pending, visitor, body, choice.problems);
      return this.authorize(pending, visitor, body, choice, request);
    };
    // a form that is sent twice gets the same page both times; the browser shows the second one
    return this.withVisitor(id, request, show, async () => pageOf(await this.decisions.of(id)));
  }

  private async withVisitor(
    id: string,
    request: FastifyRequest,
    show: (pending: PendingRequest, visitor: Visitor) => Promise<FileResponse>,
    showEnded: () => FileResponse | Promise<FileResponse>,
  ): Promise<FileResponse> {
    const pending = await this.server.pending(id, request.headers.cookie);
    if (!pending) return this.server.isMadeBy(request.headers.cookie, id) ? showEnded() : expiredPage();
    const token = sessionTokenOf(request.headers.cookie);
    const session = token ? await this.sessions.read(token) : null;
    // a member who entered the password long ago enters it again: somebody else may be using the browser now
    if (!session || confirmedUntil(session.confirmedAt).getTime() <= Date.now()) return redirect(signInAddress(id));
    const organization = await this.organizationName(session.organizationId);
    if (!session.permissions.has(MANAGE_KEYS)) {
      const able = await this.members.withPermission(contextOf(session, 'live', request), MANAGE_KEYS);
      return notAllowedPage(
        organization,
        able.slice(0, MOST_NAMES).map(({ name }) => name),
        signInAddress(id),
      );
    }
    if (session.lacksSecondFactor) return secondFactorPage(organization);
    return show(pending, { ...session, organization });
  }

  private async form(pending: PendingRequest, visitor: Visitor, sent?: ConsentBody, problems?: FormProblem[]): Promise<FileResponse> {
    const projects = await this.store.list(contextOf(visitor, 'live'), Project, { status: 'active' });
    return consentPage({
      request: pending,
      organization: visitor.organization,
      member: visitor.member,
      csrfToken: visitor.csrfToken,
      modules: this.offered.of(pending.scopes, visitor.permissions),
      projects,
      sent,
      problems,
      switchAccount: signInAddress(pending.id),
    });
  }

  private async cancel({ id }: PendingRequest, { organization }: Visitor, request: FastifyRequest): Promise<FileResponse> {
    const answered = await this.claim(id);
    if (answered) return answered;
    const result = { error: 'access_denied', error_description: 'The request was canceled.' };
    return this.finish(id, organization, result, request);
  }

  private async authorize(
    pending: PendingRequest,
    visitor: Visitor,
    body: ConsentBody,
    { scopes, mode, ...choice }: Choice,
    request: FastifyRequest,
  ): Promise<FileResponse> {
    const client = {
      id: pending.clientId,
      name: pending.clientName,
      redirect_host: returnsTo(pending.redirectUri).text,
      verified: pending.identity !== 'none',
    };
    const answered = await this.claim(pending.id);
    if (answered) return answered;
    let grantId: string;
    try {
      // a name that the page did not offer has no effect
      const asked = scopes.filter((scope) => pending.scopes.includes(scope));
      ({ id: grantId } = await this.keys.connect(contextOf(visitor, mode, request), { client, mode, scopes: asked, ...choice }));
    } catch (error) {
      await this.decisions.release(pending.id);
      if (!(error instanceof DomainError) || error.spec.status >= 500) throw error;
      return this.form(pending, visitor, body, [{ field: FIELD_OF[error.occurrence.param ?? ''] ?? null, text: error.message }]);
    }
    try {
      const result = { login: { accountId: visitor.member.id, remember: false }, consent: { grantId } };
      return await this.finish(pending.id, visitor.organization, result, request);
    } catch (error) {
      await this.connections.revoke(grantId, null);
      throw error;
    }
  }

  /** Null if the caller decides the request; otherwise the page of the decision that another process makes or has made. */
  private async claim(id: string): Promise<FileResponse | null> {
    while (!(await this.decisions.claim(id))) {
      const decision = await this.decisions.of(id);
      if (decision !== undefined) return pageOf(decision);
    }
    return null;
  }

  private async finish(id: string, organization: string, result: InteractionResults, request: FastifyRequest): Promise<FileResponse> {
    let decision: ConsentDecision | null = null;
    try {
      const location = await this.server.finish(request.raw, request.state.address, id, result);
      decision = { location, organization, isAuthorized: result.consent !== undefined };
    } finally {
      await this.decisions.settle(id, decision);
    }
    return pageOf(decision);
  }

  private async organizationName(id: string): Promise<string> {
    const { rows } = await poolOf(this.dataSource).query<{ name: string }>({
      text: `SELECT name FROM organizations WHERE id = $1`,
      values: [id],
    });
    return rows[0].name;
  }
}

function pageOf(decision: ConsentDecision | null | undefined): FileResponse {
  return decision ? returnPage(decision.organization, decision.location, decision.isAuthorized) : expiredPage();
}

interface Choice {
  scopes: string[];
  mode: 'live' | 'test';
  project_id: string | null;
  expires_at: Date | null;
  requires_plan: boolean;
}

function choiceOf({ scope = {}, mode, project, ends = DEFAULT_END, asks }: ConsentBody): Choice | { problems: FormProblem[] } {
  const problems: FormProblem[] = [];
  const scopes = Object.keys(scope);
  if (scopes.length === 0) problems.push({ field: 'scopes', text: 'Select at least one permission for the app, or cancel.' });
  if (mode !== 'live' && mode !== 'test') problems.push({ field: 'mode-test', text: 'Choose which data the app works on.' });
  if (!Object.hasOwn(ENDS, ends)) problems.push({ field: 'ends', text: 'Choose when the access ends.' });
  if (project && !isUuid(project)) problems.push({ field: 'project', text: 'Choose one of the projects, or all.' });
  if (problems.length > 0) return { problems };
  const expires_at = ends === 'never' ? null : new Date(Date.now() + Number(ends) * DAY_MS);
  return { scopes, mode: mode as 'live' | 'test', project_id: project || null, expires_at, requires_plan: asks === 'on' };
}

function signInAddress(id: string): string {
  return `${CONSOLE_PATHS.signIn}?return_to=${encodeURIComponent(`${CONSENT_PATH}/${id}`)}`;
}

function contextOf(session: SignedIn, mode: 'live' | 'test', request?: FastifyRequest): CallContext {
  const { organizationId, member, permissions, sessionId, confirmedAt, lacksSecondFactor } = session;
  const actor = { type: 'user' as const, id: member.id, email: member.email };
  const ctx = new CallContext(request?.state.requestId ?? null, organizationId, null, mode, actor, member.id, NONE, permissions);
  ctx.session = { id: sessionId, confirmedAt, lacksSecondFactor };
  const { address, userAgent } = request?.state ?? { address: null, userAgent: null };
  // the form is no operation of the API
  ctx.origin = { address, userAgent, operation: 'authorize_connection' };
  return ctx;
}
