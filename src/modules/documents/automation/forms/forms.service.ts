import { Injectable } from '@nestjs/common';
import { CommonErrors, listBody, own, Projects, Settings, sql, Store, table, type Ctx, type ListBody } from '../../../../kit/index.js';
import type { FieldSchema } from '../../model/core/field-schema.js';
import { eachProperty, schemaProblems } from '../../types/check-schema.js';
import { FormUploads } from './form-uploads.service.js';
import { FormSubmission } from './form-submission.entity.js';
import {
  FormDto,
  FormSubmissionDto,
  type CreateFormDto,
  type FormsQuery,
  type FormSubmissionsQuery,
  type UpdateFormDto,
} from './forms.dto.js';
import { IntakeForm } from './intake-form.entity.js';

/** Manages intake forms. */
@Injectable()
export class FormsService {
  constructor(
    private readonly store: Store,
    private readonly projects: Projects,
    private readonly settings: Settings,
    private readonly uploads: FormUploads,
  ) {}

  dto(form: IntakeForm): FormDto {
    return FormDto.from(form, this.settings.baseUrl);
  }

  get(ctx: Ctx, id: string): Promise<IntakeForm> {
    return this.store.get(ctx, IntakeForm, id);
  }

  async page(ctx: Ctx, query: FormsQuery): Promise<ListBody<FormDto>> {
    return listBody(await this.store.page(ctx, IntakeForm, query), (form) => this.dto(form));
  }

  async submissions(ctx: Ctx, formId: string, query: FormSubmissionsQuery): Promise<ListBody<FormSubmissionDto>> {
    const form = await this.get(ctx, formId);
    const page = await this.store.page(ctx, FormSubmission, query, { form_id: formId });
    return listBody(page, (submission) => FormSubmissionDto.from(submission, form));
  }

  async create(ctx: Ctx, body: CreateFormDto): Promise<IntakeForm> {
    const { description = null, success_message = null, document_type_id = null, active = true, language = 'en' } = body;
    await this.projects.resolve(ctx, body.project_id);
    requireFields(body.fields);
    await this.uploads.check(ctx, { ...body, document_type_id });
    return this.store.write(ctx, (tx) =>
      tx.insert(IntakeForm, { ...body, description, success_message, document_type_id, active, language }),
    );
  }

  update(ctx: Ctx, id: string, body: UpdateFormDto): Promise<IntakeForm> {
    if (body.fields !== undefined) requireFields(body.fields);
    return this.store.write(ctx, async (tx) => {
      const form = await tx.target(IntakeForm, id);
      const { document_type_id = form.document_type_id, fields = form.fields } = body;
      if (body.document_type_id !== undefined || body.fields !== undefined)
        await this.uploads.check(ctx, { document_type_id, fields, project_id: form.project_id });
      return tx.update(form, body);
    });
  }

  /** A form with submissions cannot be deleted, only closed. */
  delete(ctx: Ctx, id: string): Promise<void> {
    return this.store.write(ctx, async (tx) => {
      const form = await tx.target(IntakeForm, id);
      const [submitted] = await tx.sql(
        sql.inBothModes(
          'whether a form has submissions of either mode',
        )`SELECT 1 FROM ${table(FormSubmission)} s WHERE ${own('s')} AND s.form_id = ${id} LIMIT 1`,
      );
      if (submitted)
        throw CommonErrors.resourceConflict({ message: 'A form with submissions cannot be deleted; set active to false to close it.' });
      await tx.delete(form);
    });
  }
}

function requireFields(fields: FieldSchema): void {
  const details = schemaProblems(fields, 'fields');
  if (details.length === 0)
    eachProperty(fields, 'fields', ({ 'x-calculated': expression, 'x-format': format }, at) => {
      const param = `${at}.x-calculated`;
      const message = `${param} is only for document types: a form asks for what is calculated from`;
      if (expression !== undefined) details.push({ param, code: 'invalid_value', message });
      const noImage = `${at}.x-format`;
      if (format === 'image')
        details.push({
          param: noImage,
          code: 'invalid_value',
          message: `${noImage} image is only for document types: forms take no pictures`,
        });
    });
  if (details.length > 0)
    throw CommonErrors.validationFailed({ param: details[0].param, message: details[0].message, allowed: details[0].allowed, details });
}
