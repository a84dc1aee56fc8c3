import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, type ListBody } from '../../../../kit/index.js';
import { CreateFormDto, FormDto, FormsQuery, FormSubmissionDto, FormSubmissionsQuery, UpdateFormDto } from './forms.dto.js';
import { FormsService } from './forms.service.js';

const permission = 'papers.setup.manage';

@Controller('/api/v1/org/papers/forms')
export class OrgFormsController {
  constructor(private readonly forms: FormsService) {}

  @Get()
  @Endpoint({
    permission,
    operation: 'list_org_forms',
    summary: 'List intake forms',
    returns: FormDto,
    list: true,
  })
  list(@Ctx() ctx: Ctx, @Query() query: FormsQuery): Promise<ListBody<FormDto>> {
    return this.forms.page(ctx, query);
  }

  @Get(':id')
  @Endpoint({
    permission,
    operation: 'get_org_form',
    summary: 'Get one intake form',
    returns: FormDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<FormDto> {
    return this.forms.dto(await this.forms.get(ctx, id));
  }

  @Post()
  @Endpoint({
    permission,
    operation: 'create_org_form',
    summary: 'Create an intake form',
    description: "Each submission emits form.submitted, which runs generation triggers and the form's bridges.",
    returns: FormDto,
    status: 201,
    errors: [CommonErrors.duplicate],
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateFormDto): Promise<FormDto> {
    return this.forms.dto(await this.forms.create(ctx, body));
  }

  @Patch(':id')
  @Endpoint({
    permission,
    operation: 'update_org_form',
    summary: 'Change an intake form',
    returns: FormDto,
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateFormDto): Promise<FormDto> {
    return this.forms.dto(await this.forms.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    permission,
    operation: 'delete_org_form',
    summary: 'Delete an intake form',
    description: 'Only a form without submissions; close others with active: false.',
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.forms.delete(ctx, id);
  }

  @Get(':id/submissions')
  @Endpoint({
    permission: 'papers.document.view',
    operation: 'list_org_form_submissions',
    summary: 'List the submissions of a form',
    returns: FormSubmissionDto,
    list: true,
  })
  submissions(@Ctx() ctx: Ctx, @Id() id: string, @Query() query: FormSubmissionsQuery): Promise<ListBody<FormSubmissionDto>> {
    return this.forms.submissions(ctx, id, query);
  }
}
