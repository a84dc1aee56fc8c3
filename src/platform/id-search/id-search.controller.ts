import { Controller, Get, Query } from '@nestjs/common';
import { Ctx, Endpoint } from '../../kit/index.js';
import { FindingDto, FindQuery } from './id-search.dto.js';
import { IdSearch } from './id-search.service.js';

@Controller('api/v1/org/developer/find')
export class IdSearchController {
  constructor(private readonly search: IdSearch) {}

  @Get()
  @Endpoint({
    operation: 'find_by_id',
    summary: 'Find what an id belongs to',
    permission: null,
    returns: FindingDto,
    description: 'Among requests, events, deliveries, API keys and webhook endpoints, as far as your role may see them.',
  })
  async find(@Ctx() ctx: Ctx, @Query() { q }: FindQuery): Promise<FindingDto> {
    return { object: 'finding', results: await this.search.find(ctx, q) };
  }
}
