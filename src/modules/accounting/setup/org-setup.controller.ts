import { Body, Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint, Id } from '../../../kit/index.js';
import {
  CreateLedgerAccountDto,
  CreateTaxRateDto,
  LedgerAccountDto,
  TaxRateDto,
  UpdateLedgerAccountDto,
  UpdateTaxRateDto,
} from '../lookups/lookups.dto.js';
import { LedgerAccount } from '../model/account.entity.js';
import { TaxRate } from '../model/tax.entity.js';
import { AccountingSettingsDto, UpdateAccountingSettingsDto } from './setup.dto.js';
import { AccountingSetup } from './setup.service.js';

const permission = 'accounting.setup.manage';

@Controller('api/v1/org/accounting')
export class OrgAccountingSetupController {
  constructor(private readonly setup: AccountingSetup) {}

  @Post('accounts')
  @Endpoint({
    permission,
    operation: 'create_org_account',
    summary: 'Create an account of the books',
    returns: LedgerAccountDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createAccount(@Ctx() ctx: Ctx, @Body() body: CreateLedgerAccountDto): Promise<LedgerAccountDto> {
    return LedgerAccountDto.from(await this.setup.createAccount(ctx, body));
  }

  @Patch('accounts/:id')
  @Endpoint({
    permission,
    operation: 'update_org_account',
    summary: 'Change an account of the books',
    returns: LedgerAccountDto,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async updateAccount(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateLedgerAccountDto): Promise<LedgerAccountDto> {
    return LedgerAccountDto.from(await this.setup.updateAccount(ctx, id, body));
  }

  @Delete('accounts/:id')
  @Endpoint({
    permission,
    operation: 'delete_org_account',
    summary: 'Delete an unused account of the books',
    description: 'An account that was used cannot be deleted; make it inactive instead.',
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteAccount(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, LedgerAccount, id);
  }

  @Post('tax-rates')
  @Endpoint({
    permission,
    operation: 'create_org_tax_rate',
    summary: 'Create a tax',
    returns: TaxRateDto,
    status: 201,
    errors: [CommonErrors.duplicate, CommonErrors.resourceConflict],
  })
  async createTax(@Ctx() ctx: Ctx, @Body() body: CreateTaxRateDto): Promise<TaxRateDto> {
    return TaxRateDto.from(await this.setup.createTax(ctx, body));
  }

  @Patch('tax-rates/:id')
  @Endpoint({
    permission,
    operation: 'update_org_tax_rate',
    summary: 'Change a tax',
    returns: TaxRateDto,
  })
  async updateTax(@Ctx() ctx: Ctx, @Id() id: string, @Body() body: UpdateTaxRateDto): Promise<TaxRateDto> {
    return TaxRateDto.from(await this.setup.updateTax(ctx, id, body));
  }

  @Delete('tax-rates/:id')
  @Endpoint({
    permission,
    operation: 'delete_org_tax_rate',
    summary: 'Delete an unused tax',
    description: 'A tax that was used cannot be deleted; make it inactive instead.',
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  deleteTax(@Ctx() ctx: Ctx, @Id() id: string): Promise<void> {
    return this.setup.delete(ctx, TaxRate, id);
  }

  @Get('settings/:project_id')
  @Endpoint({
    permission: null,
    operation: 'get_org_accounting_settings',
    summary: 'Get the settings of the books of a project',
    returns: AccountingSettingsDto,
  })
  async settings(@Ctx() ctx: Ctx, @Id('project_id', 'Id of the project.') projectId: string): Promise<AccountingSettingsDto> {
    return AccountingSettingsDto.from(await this.setup.settings(ctx, projectId));
  }

  @Patch('settings/:project_id')
  @Endpoint({
    permission,
    operation: 'update_org_accounting_settings',
    summary: 'Change the settings of the books of a project',
    description: 'The fields of seller are merged.',
    returns: AccountingSettingsDto,
    errors: [CommonErrors.resourceConflict],
  })
  async updateSettings(
    @Ctx() ctx: Ctx,
    @Id('project_id', 'Id of the project.') projectId: string,
    @Body() body: UpdateAccountingSettingsDto,
  ): Promise<AccountingSettingsDto> {
    return AccountingSettingsDto.from(await this.setup.updateSettings(ctx, projectId, body));
  }
}
