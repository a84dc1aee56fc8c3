import { Body, Controller, Get, Headers, HttpCode, Post } from '@nestjs/common';
import { CommonErrors, DomainError, Endpoint, Public, Upload, Uploaded, type FileResponse } from '../../../../kit/index.js';
import { VerificationDto, VerificationForm } from './verification.dto.js';
import { verificationPage } from './verification.page.js';
import { MOST_VERIFIED_BYTES, Verification } from './verification.service.js';
import { verificationTexts } from './verification-languages.js';

const CALLS = { callsPerTenMinutes: 30 } as const;
/** What a form adds to its file. */
const FORM_BYTES = 4_096;

/** The page on which anyone verifies a PDF. */
@Controller('/verify')
export class VerificationPageController {
  constructor(private readonly verification: Verification) {}

  @Get()
  @Public('Anyone may verify a PDF')
  show(@Headers('accept-language') accepted?: string): FileResponse {
    return verificationPage(verificationTexts(accepted));
  }

  @Post()
  @HttpCode(200)
  @Public('Anyone may verify a PDF; calls are limited per IP address, and nothing is stored', {
    ...CALLS,
    upload: 'file',
    bodyLimit: MOST_VERIFIED_BYTES + FORM_BYTES,
  })
  async verify(@Body() { language }: VerificationForm, @Uploaded() upload: Upload): Promise<FileResponse> {
    const shown = verificationTexts(language);
    const { problems } = shown.texts;
    if (upload.bytes.length === 0 && !upload.isTooLarge)
      return verificationPage({ ...shown, problem: { status: 400, text: problems.none } });
    try {
      return verificationPage({ ...shown, result: await this.verification.verify(upload) });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { status, code } = error.spec;
      const texts: Record<string, string | undefined> = {
        [CommonErrors.payloadTooLarge.spec.code]: problems.tooLarge,
        [CommonErrors.validationFailed.spec.code]: problems.noPdf,
        [CommonErrors.unavailable.spec.code]: problems.busy,
      };
      return verificationPage({ ...shown, problem: { status, text: texts[code] ?? error.message } });
    }
  }
}

/** The same for programs. */
@Controller('/api/v1/public/verify')
export class PublicVerificationController {
  constructor(private readonly verification: Verification) {}

  @Post()
  @HttpCode(200)
  @Public('Anyone may verify a PDF; calls are limited per IP address, and nothing is stored', CALLS)
  @Endpoint({
    operation: 'verify_public_file',
    summary: 'Verify a PDF',
    description:
      'Says who signed or sealed a PDF, whether it was changed since, and whether it is a file of this server. Nothing is stored.',
    returns: VerificationDto,
    status: 200,
    errors: [CommonErrors.unavailable],
    upload: {
      'application/pdf': { type: 'string', description: 'The file, at most 12 MiB.', example: '%PDF-1.7' },
    },
    bodyLimit: MOST_VERIFIED_BYTES,
  })
  verify(@Uploaded() upload: Upload): Promise<VerificationDto> {
    return this.verification.verify(upload);
  }
}
