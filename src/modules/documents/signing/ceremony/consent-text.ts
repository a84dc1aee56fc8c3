/** What a signing party agrees to, word for word as the page shows it and as the certificate repeats it. */
export const CONSENT_TEXT =
  'I have read this document and agree to its content. I agree to sign it electronically, and that my electronic signature binds me as one by hand would.';
