import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { Ctx, Endpoint, listBody, type ListBody } from '../../../../kit/index.js';
import { GenerateDto, GenerationDto, GenerationRunDto, GenerationRunsQuery } from './generate.dto.js';
import { Generate } from './generate.service.js';
import { DocumentEvents } from '../../views/documents.events.js';

const RUNS = 'Runs every active trigger of event_type; a failed one creates nothing and says why.';
const FOR_MEMBERS = 'Use event types of your own: of those of the suite, members can send only events of documents and forms.';

@Controller('/api/v1/ext/papers/generate')
export class GenerateController {
  constructor(private readonly generate: Generate) {}

  @Post()
  @Endpoint({
    scope: 'papers:document:write',
    member: { permission: 'papers.document.manage', description: `${RUNS} ${FOR_MEMBERS}` },
    operation: 'generate_documents',
    summary: 'Generate documents from an event',
    returns: GenerationDto,
    openWorld: true,
    description: RUNS,
    emits: [DocumentEvents.created, DocumentEvents.stateChanged, DocumentEvents.finalized],
  })
  run(@Ctx() ctx: Ctx, @Body() body: GenerateDto): Promise<GenerationDto> {
    return this.generate.run(ctx, body);
  }
}

@Controller('/api/v1/org/papers/generations')
export class OrgGenerationsController {
  constructor(private readonly generate: Generate) {}

  @Get()
  @Endpoint({
    permission: ['papers.document.view', 'papers.setup.manage'],
    operation: 'list_org_generations',
    summary: 'List the runs of generation triggers',
    returns: GenerationRunDto,
    list: true,
  })
  async list(@Ctx() ctx: Ctx, @Query() query: GenerationRunsQuery): Promise<ListBody<GenerationRunDto>> {
    return listBody(await this.generate.page(ctx, query), GenerationRunDto.from);
  }
}
