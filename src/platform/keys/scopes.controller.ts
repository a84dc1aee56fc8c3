import { Controller, Get, Query } from '@nestjs/common';
import { constantList, Ctx, Endpoint, type ListBody } from '../../kit/index.js';
import { ScopedModuleDto, ScopesQuery } from './api-keys.dto.js';
import { mayManageKeys, permissionsFor } from './key-permissions.js';
import { ScopeCatalog } from './scope-catalog.js';

@Controller('api/v1/org/developer/scopes')
export class ScopesController {
  constructor(private readonly catalog: ScopeCatalog) {}

  @Get()
  @Endpoint({
    operation: 'list_scopes',
    summary: 'List the scopes that keys can have, by module',
    permission: permissionsFor('view'),
    returns: ScopedModuleDto,
    list: true,
    description: 'The modules whose keys your role may see.',
  })
  list(@Ctx() ctx: Ctx, @Query() query: ScopesQuery): ListBody<ScopedModuleDto> {
    const modules = this.catalog.modules().filter(({ name }) => mayManageKeys(this.catalog, ctx, name, 'view'));
    return constantList(
      modules.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      query,
      ScopedModuleDto.from,
    );
  }
}
