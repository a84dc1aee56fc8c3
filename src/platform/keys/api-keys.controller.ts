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
      'Lists the keys that your role may see: some modules declare separate permissions for theirs. Revoked keys are ' +
      'included; filter by status=active to exclude them.',
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
    errors: [CommonErrors.confirmationRequired],
    description:
      'Only this response contains the secret. Module, mode, project and bound member cannot be changed; create another key instead. ' +
      'A scope that acts in the name of members requires a permission of you and of the bound member; the error names it.',
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
    errors: [CommonErrors.resourceConflict, CommonErrors.confirmationRequired],
    description:
      'Takes effect at the next call with the key, in every process. A change that lets a key do more (more scopes or addresses, a later ' +
      'expiry, another limit, no plans, status active) requires the same permissions as creating it: all those of the bound member.',
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
    description:
      'The same as revoking: the key remains listed as revoked, so that its log stays attributable. Deleting a revoked key returns 404.',
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
    errors: [CommonErrors.resourceConflict, CommonErrors.confirmationRequired],
    description:
      'The key keeps its id, scopes and limits. The previous secret remains valid for overlap_hours; ' +
      'older ones expire at once. A key bound to a member can be rolled by them and by members who hold all their permissions.',
  })
  async roll(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: RollApiKeyDto): Promise<ApiKeyWithSecretDto> {
    return withSecret(await this.keys.roll(ctx, id, body.overlap_hours ?? 0));
  }

  @Post(':id/revoke')
  @Endpoint({
    operation: 'revoke_api_key',
    summary: 'Revoke an API key immediately',
    permission: permissionsFor('delete'),
    returns: ApiKeyDto,
    description: 'Final. The next call with the key is rejected, in every process.',
  })
  async revoke(@Ctx() ctx: Ctx, @Id() id: string): Promise<ApiKeyDto> {
    return ApiKeyDto.from(await this.keys.revoke(ctx, id));
  }
}

function withSecret({ key, secret }: KeyWithSecret): ApiKeyWithSecretDto {
  return { ...ApiKeyDto.from(key), secret };
}
