/** The consent of a signing party. The page and the certificate show exactly this text. */
export const CONSENT_TEXT =
  'I have read this document and agree to its content. ' +
  'I agree to sign it electronically, and that my electronic signature binds me as one by hand would.';
