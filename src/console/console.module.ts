import { Module } from '@nestjs/common';
import { ProductCalls } from './calls/product-calls.js';
import { InvitationController } from './invitation/invitation.controller.js';
import { ResetController } from './reset/reset.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';

/**
 * The pages below `/console`, which call the product's routes in process.
 * - `calls/` those calls, and what pages say when one fails
 * - `sign-in/`, `reset/`, `invitation/` the pages for people without a session
 */
@Module({ controllers: [SignInController, ResetController, InvitationController], providers: [ProductCalls] })
export class ConsoleModule {}
