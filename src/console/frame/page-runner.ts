import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CommonErrors, FileResponse, html, Members, problemNote, redirect, statusNote, type Html } from '../../kit/index.js';
import { BaseUrl } from '../../platform/config/base-url.js';
import { CONSOLE_PATHS } from '../../platform/config/console-paths.js';
import { PageVisitors } from '../../platform/http/callers/page-visitors.js';
import type { SignedIn } from '../../platform/people/sessions/session-reader.js';
import { systemContext } from '../../platform/persistence/transactions/call-context.js';
import { RateLimited } from '../../platform/rate-limit/rate-limited.error.js';
import { ModuleRegistry } from '../../platform/registry/module-registry.js';
import { HAS_MAIL_SERVER } from '../../platform/mail/mail-outbox.js';
import { RouteRegistry } from '../../platform/registry/route-registry.js';
import { isSecret } from '../../platform/request/secret-comparison.js';
import { ProductCalls } from '../calls/product-calls.js';
import { linkedProblems } from './form.js';
import { consolePage } from './layout.js';
import { CompletedPages } from './completed-pages.js';
import { ACCOUNT } from './own-pages.js';
import type { Action, PageDefinition, PageResult, View } from './page-definition.js';
import { PageTable } from './page-table.js';
import { addressProblem, AddressRefused, refuseAddress } from './parameters.js';
import { badAddressView, confirmView, forbiddenView, laterView, noFormView, notFoundView, secondFactorView } from './refusal-pages.js';
import { CallFailed, FormRefused, problemsOf, type Refused } from './refusals.js';
import { permissionsOf, type Required } from './required.js';
import { Values } from './values.js';
import { CONSOLE, FileAsked, Visit, type Submission } from './visit.js';

const MOST_NAMES = 5;
const GRANTS = 'org.members.manage';
const TOO_OLD = 'This page is out of date because you signed in again. Check your entries and send the form again.';

/** Shows the pages of the table and runs their forms, with the same access checks and error pages for all. */
@Injectable()
export class PageRunner {
  constructor(
    private readonly visitors: PageVisitors,
    private readonly calls: ProductCalls,
    private readonly members: Members,
    private readonly baseUrl: BaseUrl,
    private readonly routes: RouteRegistry,
    private readonly completed: CompletedPages,
    private readonly registry: ModuleRegistry,
    @Inject(HAS_MAIL_SERVER) private readonly sendsMail: boolean,
    @Inject(PageTable) private readonly pages: PageTable,
  ) {}

  async show(page: PageDefinition, request: FastifyRequest, reply: FastifyReply): Promise<FileResponse> {
    const [path, ...query] = request.url.split('?');
    if (path.endsWith('/')) return redirect([path.replace(/\/+$/, ''), ...query].join('?'));
    return this.visit(page, request, reply, undefined, (visit) => this.view(visit, page));
  }

  async submit(page: PageDefinition, request: FastifyRequest, reply: FastifyReply): Promise<FileResponse> {
    const submission = submissionOf(request.body as URLSearchParams);
    return this.visit(page, request, reply, submission, (visit) => this.act(visit, page, submission));
  }

  private async visit(
    page: PageDefinition,
    request: FastifyRequest,
    reply: FastifyReply,
    submission: Submission | undefined,
    answer: (visit: Visit) => Promise<FileResponse>,
  ): Promise<FileResponse> {
    const visitor = await this.visitors.find(request);
    const visit = visitor && this.visitOf(page, request, visitor, submission);
    try {
      await this.visitors.charge(request, reply, visitor);
      if (!visit) return redirect(signInAddress(request));
      visit.completed = await this.completed.of(visit);
      const action = submission && actionOf(page, submission.action);
      if (submission && !action) return consolePage(visit, this.pages, this.pages.at(visit.path) ? noFormView() : notFoundView(visit));
      // a form requires the permission of its page, and its own if it has one
      for (const required of [page.permission, action?.permission ?? null]) {
        if (visitor.lacksSecondFactor && required !== null) return consolePage(visit, this.pages, secondFactorView(visit));
        if (!visit.can(required)) return await this.refuse(visit, required, submission);
      }
      return await answer(visit);
    } catch (error) {
      if (visit && error instanceof RateLimited) {
        const after = String(error.retryAfterSeconds);
        const view = laterView({
          message: 'You have opened many pages in a short time.',
          status: 429,
          after,
          reference: null,
          submission,
          visit,
        });
        return consolePage(visit, this.pages, view);
      }
      if (visit && error instanceof AddressRefused) return consolePage(visit, this.pages, badAddressView(visit, error.problems));
      if (visit && error instanceof CallFailed) return this.failed(visit, error, submission);
      throw error;
    }
  }

  private visitOf(page: PageDefinition, request: FastifyRequest, visitor: SignedIn, submission: Submission | undefined): Visit {
    const { path, query } = addressOf(request);
    const params = Object.fromEntries(
      Object.entries(request.params as Record<string, string>).map(([name, value]) => [name, encodeURIComponent(value)]),
    );
    const site = {
      baseUrl: this.baseUrl.value,
      sendsMail: this.sendsMail,
      routes: this.routes.routes,
      permissions: this.registry.permissions,
      modules: this.registry.manifests,
    };
    return new Visit({ request, page, pages: this.pages, calls: this.calls, site, visitor, params, path, query, submission });
  }

  private async view(visit: Visit, page: PageDefinition): Promise<FileResponse> {
    const { notices = {} } = page;
    const done = visit.query.get('done') ?? '';
    refuseAddress(visit);
    const shown = await shownOf(visit, page);
    if (visit.linkProblems.length > 0 && !(shown instanceof FileResponse))
      return this.render(visit, { ...shown, status: 400 }, problemNote('The link suggests what cannot be entered', visit.linkProblems));
    return this.render(visit, shown, Object.hasOwn(notices, done) && statusNote(html`<p>${notices[done]}</p>`));
  }

  private async act(visit: Visit, page: PageDefinition, submission: Submission): Promise<FileResponse> {
    const { action, values } = submission;
    const { run, fields, refusal } = page.actions![action];
    const { requestId } = visit.request.state;
    const refuse = async (refused: Omit<Refused, 'action'>) => {
      const again = visit.again({ action, ...refused });
      const shown = await page.show(again);
      const problems = linkedProblems(refused.problems, action, submission.formId, again.labels);
      const reference = refused.requestId !== null && html`<p class="hint">Reference: ${refused.requestId}</p>`;
      const note = problemNote(refusal, problems, reference);
      if (shown instanceof FileResponse) return shown;
      return this.render(again, { ...shown, status: refused.status, headers: { ...shown.headers, ...refused.headers } }, note);
    };
    if (!isSecret(submission.csrfToken, visit.visitor.csrfToken))
      return refuse({ status: 400, headers: {}, requestId, problems: [{ field: null, text: TOO_OLD }] });
    const unconfirmed = await this.confirm(visit, submission);
    if (unconfirmed) return unconfirmed;
    try {
      return this.render(visit, await run(visit, values), false);
    } catch (error) {
      if (error instanceof FormRefused) return refuse({ status: 400, headers: {}, requestId, problems: error.problems });
      if (!(error instanceof CallFailed)) throw error;
      const { status, response } = error;
      if (error.error?.code === 'confirmation_required') return consolePage(visit, this.pages, confirmView(visit, submission));
      if (!CORRECTABLE.has(status)) throw error;
      const { code, request_id = requestId } = error.error ?? {};
      const explained = code === undefined ? undefined : EXPLAINED[code];
      const problems = explained === undefined ? problemsOf(response, fields) : [{ field: null, text: explained }];
      return refuse({ status, headers: {}, requestId: request_id, problems, isSentBefore: code === SENT_BEFORE });
    }
  }

  /** The page that asks for the password, unless the form contains the correct one. */
  private async confirm(visit: Visit, submission: Submission): Promise<FileResponse | null> {
    const password = submission.values.exact('confirm_password');
    if (password === '') return null;
    const code = submission.values.optional('confirm_code');
    const path = '/session/confirm';
    const body = { password, ...(code !== null && { code }) };
    // another password makes it another request
    const response = await visit.send({ method: 'POST', path, body, idempotencyKey: randomUUID() });
    if (response.status < 400) return null;
    const failed = new CallFailed(path, response);
    if (response.status !== 400 && response.status !== 401 && response.status !== 429) throw failed;
    return consolePage(visit, this.pages, confirmView(visit, submission, failed));
  }

  private render(visit: Visit, shown: PageResult, notes: Html | false): FileResponse {
    return shown instanceof FileResponse ? shown : consolePage(visit, this.pages, shown, notes);
  }

  private async failed(visit: Visit, failure: CallFailed, submission: Submission | undefined): Promise<FileResponse> {
    const { status, error, response } = failure;
    if (status === 401) return redirect(signInAddress(visit.request));
    if (status === 403 && error?.code === 'second_factor_required') return consolePage(visit, this.pages, secondFactorView(visit));
    if (status === 403) {
      const required = error?.required_permission;
      return this.refuse(visit, typeof required === 'string' ? [required] : [], submission);
    }
    if (status === 404) return consolePage(visit, this.pages, notFoundView(visit));
    if (status === 400 && !submission) {
      const problems = problemsOf(response).map(({ parameter, text, rest }) => addressProblem(visit, parameter, text, rest));
      return consolePage(visit, this.pages, badAddressView(visit, problems));
    }
    const after = response.headers['retry-after'];
    const view: View = laterView({
      message: error?.message ?? 'Something went wrong.',
      status,
      after: after === undefined ? null : String(after),
      reference: error?.request_id ?? null,
      submission,
      visit,
    });
    return consolePage(visit, this.pages, view);
  }

  /** Members who may not see the overview are redirected to the first page that their role permits, or else to their account. */
  private async refuse(visit: Visit, required: Required, submission: Submission | undefined): Promise<FileResponse> {
    if (visit.path === '' && !submission) {
      const shown = this.pages.navigationOf(visit).flatMap(({ pages }) => pages);
      return redirect(visit.link(shown.find((page) => page.permission !== null || page.isCompleted)?.path ?? ACCOUNT));
    }
    const ctx = systemContext(visit.visitor.organizationId, 'live');
    const able = await this.members.withPermission(ctx, GRANTS);
    const names = able.slice(0, MOST_NAMES).map(({ name }) => name);
    return consolePage(visit, this.pages, forbiddenView(visit, permissionsOf(required), names));
  }
}

const SENT_BEFORE = CommonErrors.idempotencyKeyReused.spec.code;

/** Errors whose messages are written for programs. */
const EXPLAINED: Readonly<Record<string, string>> = {
  [SENT_BEFORE]: 'This form was sent before with other values, and those were saved. Send it again to save what it shows now, too.',
  [CommonErrors.versionConflict.spec.code]:
    'Somebody has changed this since you opened the page. Compare what is stored now with what you entered, and save it again.',
};

/** Statuses after which the form is shown again. */
const CORRECTABLE: ReadonlySet<number> = new Set([400, 409, 412, 422]);

function actionOf({ actions = {} }: PageDefinition, name: string): Action | undefined {
  return Object.hasOwn(actions, name) ? actions[name] : undefined;
}

async function shownOf(visit: Visit, page: PageDefinition): Promise<PageResult> {
  try {
    return await page.show(visit);
  } catch (error) {
    if (error instanceof FileAsked) return error.file;
    throw error;
  }
}

function submissionOf(sent: URLSearchParams): Submission {
  const values = new Values(sent);
  const token = values.text('token');
  return {
    action: values.text('action'),
    formId: values.text('form'),
    values,
    csrfToken: values.text('csrf'),
    token: /^[\w-]{8,64}$/.test(token) ? token : randomUUID(),
  };
}

function addressOf({ url }: FastifyRequest): { path: string; query: URLSearchParams } {
  const [path, query = ''] = url.split('?', 2);
  return { path: path.slice(CONSOLE.length).replace(/\/$/, ''), query: new URLSearchParams(query) };
}

/** The sign-in page, which leads back to this address. */
function signInAddress(request: FastifyRequest): string {
  const { path, query } = addressOf(request);
  const text = query.toString();
  return `${CONSOLE_PATHS.signIn}?return_to=${encodeURIComponent(`${CONSOLE}${path}${text && `?${text}`}`)}`;
}
