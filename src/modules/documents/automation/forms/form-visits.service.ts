import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  CommonErrors,
  Contexts,
  own,
  Projects,
  redirect,
  sql,
  Store,
  table,
  type Ctx,
  type FileResponse,
  type Tx,
  type Upload,
  type Visitor,
} from '../../../../kit/index.js';
import { DocumentLooks } from '../../settings/document-looks.service.js';
import { readAnswers, withoutEmptyRows } from './form-answers.js';
import type { FormPageBody } from './form-page.dto.js';
import { formPage, thanksPage, type OpenForm } from './form-page.js';
import { FormSubmission } from './form-submission.entity.js';
import { FormUploads, type UploadProblem } from './form-uploads.service.js';
import { FormEvents } from './forms.events.js';
import { FormSubmissionDto, SLUG_PATTERN } from './forms.dto.js';
import { IntakeForm } from './intake-form.entity.js';
import { formTexts } from './texts/texts.js';

/** At most MOST submissions of a form from one IP address within MINUTES. */
const MOST = 10;
const MINUTES = 10;
const SLUG = new RegExp(SLUG_PATTERN);

/** Shows forms to visitors and stores their submissions, always in live mode. */
@Injectable()
export class FormVisits {
  constructor(
    private readonly contexts: Contexts,
    private readonly projects: Projects,
    private readonly store: Store,
    private readonly uploads: FormUploads,
    private readonly looks: DocumentLooks,
  ) {}

  async show(slug: string): Promise<FileResponse> {
    return formPage(await this.open(slug, null), { token: randomUUID(), raw: {}, problems: [] });
  }

  async thanks(slug: string): Promise<FileResponse> {
    return thanksPage(await this.open(slug, null));
  }

  async submit(
    slug: string,
    { answers: sentAnswers = {}, token = randomUUID(), website = '', file = '' }: FormPageBody,
    visitor: Visitor,
  ): Promise<FileResponse> {
    const opened = await this.open(slug, null);
    const { form, timeZone } = opened;
    const sent = redirect(`/f/${slug}/thanks`);
    // a bot that fills in the honeypot gets the success response
    if (website !== '') return sent;
    const texts = formTexts(form.language);
    const writing = { language: form.language, timeZone };
    const raw = withoutEmptyRows(form.fields, sentAnswers, writing);
    const { answers, problems } = readAnswers(form.fields, raw, writing);
    const upload = file === '' || form.document_type_id === null ? undefined : unreadFile(texts.upload.notRead(file.slice(0, 200)));
    if (problems.length > 0 || upload) return formPage(opened, { token, raw, problems, upload });
    const { ctx } = await this.open(slug, emailIn(form, answers), visitor.requestId);
    const isTaken = await this.store.write(ctx, (tx) => this.take(tx, form, answers, token, visitor));
    if (isTaken) return sent;
    return formPage(opened, {
      token,
      raw,
      problems,
      rejection: {
        status: CommonErrors.rateLimited.spec.status,
        text: texts.tooMany(MINUTES),
        headers: { 'Retry-After': String(MINUTES * 60) },
      },
    });
  }

  /** Shows the form with the values of an uploaded PDF. Values of the file replace those that the visitor has typed. */
  async fillIn(
    slug: string,
    { answers = {}, token = randomUUID(), website = '' }: FormPageBody,
    upload: Upload,
    visitor: Visitor,
  ): Promise<FileResponse> {
    const opened = await this.open(slug, null, visitor.requestId);
    const { ctx, form, timeZone } = opened;
    if (form.document_type_id === null) throw CommonErrors.notFound({ message: 'This form accepts no files.' });
    const typed = withoutEmptyRows(form.fields, answers, { language: form.language, timeZone });
    if (website !== '') return formPage(opened, { token, raw: typed, problems: [] });
    const found = await this.uploads.read(ctx, form, form.document_type_id, upload, timeZone);
    if ('status' in found) return formPage(opened, { token, raw: typed, problems: [], upload: found });
    const { raw, filled, problems } = found;
    const kept = Object.entries(typed).filter(([path]) => !filled.includes(path.split('.')[0]));
    return formPage(opened, { token, raw: { ...Object.fromEntries(kept), ...raw }, problems, filled: filled.length });
  }

  async back(slug: string): Promise<FileResponse> {
    await this.open(slug, null);
    return redirect(`/f/${slug}`);
  }

  /** Stores a submission once per token; false if the IP address exceeded its limit. */
  private async take(
    tx: Tx,
    form: IntakeForm,
    answers: Record<string, unknown>,
    token: string,
    { limitKey: address, userAgent }: Visitor,
  ): Promise<boolean> {
    await tx.advanced.mutex(`form ${form.id} ${address}`);
    const [earlier] = await tx.list(FormSubmission, { form_id: form.id, token });
    if (earlier) return true;
    const [{ count }] = await tx.sql<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM ${table(FormSubmission)} s
        WHERE ${own('s')} AND s.form_id = ${form.id} AND s.address = ${address}
          AND s.created_at > now() - ${MINUTES} * interval '1 minute'`,
    );
    if (count >= MOST) return false;
    const submission = await tx.insert(FormSubmission, {
      project_id: form.project_id as string,
      form_id: form.id,
      answers,
      token,
      address,
      user_agent: userAgent,
    });
    tx.emit(FormEvents.formSubmitted, { object: FormSubmissionDto.from(submission, form), projectId: submission.project_id });
    return true;
  }

  /** An open form with the context of its visitor. */
  private async open(slug: string, email: string | null, requestId: string | null = null): Promise<OpenForm & { ctx: Ctx }> {
    const gone = () => CommonErrors.notFound({ message: 'This form does not exist or is closed.' });
    if (!SLUG.test(slug)) throw gone();
    const found = await this.contexts.findAcrossTenants<{ id: string; organization_id: string; project_id: string }>(
      sql.unscoped('the form that an address names')`
        SELECT f.id, f.organization_id, f.project_id FROM ${table(IntakeForm)} f WHERE f.slug = ${slug} AND f.active`,
    );
    if (!found) throw gone();
    const ctx = this.contexts.guest({ organizationId: found.organization_id, projectId: found.project_id, mode: 'live' }, email, requestId);
    const project = await this.projects.get(ctx, found.project_id);
    if (project.status !== 'active') throw gone();
    const form = await this.store.get(ctx, IntakeForm, found.id);
    return { ctx, form, look: await this.looks.in(ctx, form.language, found.project_id), timeZone: project.timezone };
  }
}

function unreadFile(text: string): UploadProblem {
  return { status: CommonErrors.validationFailed.spec.status, text };
}

/** The visitor's e-mail address: the first e-mail field of the form. */
function emailIn({ fields }: IntakeForm, answers: Record<string, unknown>): string | null {
  const properties = (fields.properties ?? {}) as Record<string, { format?: string }>;
  const name = Object.keys(properties).find((one) => properties[one].format === 'email');
  const value = name === undefined ? undefined : answers[name];
  return typeof value === 'string' ? value : null;
}
