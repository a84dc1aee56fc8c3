import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { CommonErrors, Ctx, Endpoint } from '../../../kit/index.js';
import type { CallContext } from '../../persistence/transactions/call-context.js';
import { EnableSecondFactorDto, RecoveryCodesDto, SecondFactorDto, SecondFactorSetupDto } from './second-factor.dto.js';
import { SecondFactors } from './second-factors.service.js';

@Controller('api/v1/org/account/second-factor')
export class SecondFactorController {
  constructor(private readonly factors: SecondFactors) {}

  @Get()
  @Endpoint({
    operation: 'get_second_factor',
    summary: 'Get your second factor',
    permission: null,
    returns: SecondFactorDto,
  })
  async get(@Ctx() ctx: Ctx): Promise<SecondFactorDto> {
    return SecondFactorDto.from(await this.factors.state(ctx));
  }

  @Post()
  @Endpoint({
    operation: 'set_up_second_factor',
    summary: 'Create a secret for an authenticator app',
    permission: null,
    confirmation: true,
    returns: SecondFactorSetupDto,
    status: 201,
    secrets: ['secret', 'uri'],
    errors: [CommonErrors.resourceConflict],
    description:
      'Time-based codes (RFC 6238: SHA-1, six digits, 30 seconds). Nothing changes until enable_second_factor; ' +
      'an earlier secret that was not enabled is replaced.',
  })
  async setUp(@Ctx() ctx: Ctx): Promise<SecondFactorSetupDto> {
    return { object: 'second_factor_setup', ...(await this.factors.setUp(ctx)) };
  }

  @Post('enable')
  @Endpoint({
    operation: 'enable_second_factor',
    summary: 'Require a second factor at your sign-ins',
    permission: null,
    confirmation: true,
    returns: RecoveryCodesDto,
    secrets: ['codes'],
    destructive: true,
    ownTransactions: true,
    description:
      'Takes a code of the app that was set up, and ends your other sessions. The response has ten recovery codes, in case the phone ' +
      'is lost.',
  })
  async enable(@Ctx() ctx: CallContext, @Body() { code }: EnableSecondFactorDto): Promise<RecoveryCodesDto> {
    return { object: 'recovery_codes', codes: await this.factors.enable(ctx, code) };
  }

  @Post('recovery-codes')
  @Endpoint({
    operation: 'renew_recovery_codes',
    summary: 'Create new recovery codes',
    permission: null,
    confirmation: true,
    returns: RecoveryCodesDto,
    secrets: ['codes'],
    destructive: true,
    errors: [CommonErrors.resourceConflict],
    description: 'The earlier ones no longer work.',
  })
  async renewCodes(@Ctx() ctx: Ctx): Promise<RecoveryCodesDto> {
    return { object: 'recovery_codes', codes: await this.factors.renewCodes(ctx) };
  }

  @Delete()
  @Endpoint({
    operation: 'remove_second_factor',
    summary: 'Remove your second factor',
    permission: null,
    confirmation: true,
    returns: null,
    errors: [CommonErrors.resourceConflict],
  })
  async remove(@Ctx() ctx: Ctx): Promise<void> {
    await this.factors.disable(ctx);
  }
}
