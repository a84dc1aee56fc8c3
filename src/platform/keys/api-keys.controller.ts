import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id, listBody, type ListBody } from '../../kit/index.js';
import { ApiKeyDto, ApiKeysQuery, ApiKeyWithSecretDto, CreateApiKeyDto, RollApiKeyDto, UpdateApiKeyDto } from './api-keys.dto.js';
import { ApiKeysService, type KeyWithSecret } from './api-keys.service.js';
import { permissionsFor } from './key-permissions.js';

@Controller('api/v1/org/developer/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @Endpoint({
    operation: 'list_api_keys',
    summary: 'List API keys',
    permission: permissionsFor('view'),
    returns: ApiKeyDto,
    list: true,
    description:
      'Those that your role may see: keys of the module lead_webhook have permissions of their own. Revoked keys are ' +
      'listed too; ask for status=active to leave them out.',
  })
  async list(@Ctx() ctx: Ctx, @Query() query: ApiKeysQuery): Promise<ListBody<ApiKeyDto>> {
    return listBody(await this.keys.page(ctx, query), ApiKeyDto.from);
  }

  @Get(':id')
  @Endpoint({
    operation: 'get_api_key',
    summary: 'Get an API key',
    permission: permissionsFor('view'),
    returns: ApiKeyDto,
  })
  async get(@Ctx() ctx: Ctx, @Id() id: string): Promise<ApiKeyDto> {
    return ApiKeyDto.from(await this.keys.get(ctx, id));
  }

  @Post()
  @Endpoint({
    operation: 'create_api_key',
    summary: 'Create an API key',
    permission: permissionsFor('create'),
    returns: ApiKeyWithSecretDto,
    status: 201,
    secrets: ['secret'],
    description:
      'The secret is in this answer and nowhere else. Module, mode, project and bound member never change; make another key instead.',
  })
  async create(@Ctx() ctx: Ctx, @Body() body: CreateApiKeyDto): Promise<ApiKeyWithSecretDto> {
    return withSecret(await this.keys.create(ctx, body, 'console'));
  }

  @Patch(':id')
  @Endpoint({
    operation: 'update_api_key',
    summary: 'Change an API key',
    permission: permissionsFor('create'),
    returns: ApiKeyDto,
    errors: [CommonErrors.resourceConflict],
    description: 'Holds from the very next call on, in every process.',
  })
  async update(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateApiKeyDto): Promise<ApiKeyDto> {
    return ApiKeyDto.from(await this.keys.update(ctx, id, body));
  }

  @Delete(':id')
  @Endpoint({
    operation: 'delete_api_key',
    summary: 'Revoke an API key',
    permission: permissionsFor('delete'),
    returns: null,
    description: 'The same as revoking: the key stays listed as revoked, so that its log stays attributable. A revoked key answers 404.',
  })
  async delete(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    await this.keys.delete(ctx, id);
  }

  @Post(':id/roll')
  @Endpoint({
    operation: 'roll_api_key',
    summary: 'Replace the secret of an API key',
    permission: permissionsFor('create'),
    returns: ApiKeyWithSecretDto,
    secrets: ['secret'],
    errors: [CommonErrors.resourceConflict],
    description:
      'The key keeps its id, scopes and limits. The old secret works for overlap_hours more; of several old ones ' +
      'only the latest. A key bound to a member can be rolled by them, and by whoever holds all their permissions.',
  })
  async roll(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: RollApiKeyDto): Promise<ApiKeyWithSecretDto> {
    return withSecret(await this.keys.roll(ctx, id, body.overlap_hours ?? 0));
  }

  @Post(':id/revoke')
  @Endpoint({
    operation: 'revoke_api_key',
    summary: 'Revoke an API key at once',
    permission: permissionsFor('delete'),
    returns: ApiKeyDto,
    description: 'Final. The very next call with the key is refused, in every process.',
  })
  async revoke(@Ctx() ctx: Ctx, @Id() id: string): Promise<ApiKeyDto> {
    return ApiKeyDto.from(await this.keys.revoke(ctx, id));
  }
}

function withSecret({ key, secret }: KeyWithSecret): ApiKeyWithSecretDto {
  return { ...ApiKeyDto.from(key), secret };
}
