/** A self-signed certificate for localhost, agents.test and 127.0.0.1, which nothing but a test trusts. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBczCCARqgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyNjAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABAGx7TwMh1TrRYLC
C7et49+eizbLIrBpqSjS4lEuxZDIBxwNtU3l01xO8GOx2WNDgyEvkSOA3rTQ21je
MamzTfejWzBZMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFCbJf6dgiu75ztg4
QdyDEory9rjbMCcGA1UdEQQgMB6CCWxvY2FsaG9zdIILYWdlbnRzLnRlc3SHBH8A
AAEwCgYIKoZIzj0EAwIDRwAwRAIgDkZHpura9bL0ZR2IlV2lU/SXkcn30VibFl2O
YNZE67QCIBSPeqXADvUN8iQ9cgZ6w2UOX5IMJk6RiKXTkCgGx0Qm
-----END CERTIFICATE-----
`;

/** The key of the certificate; it guards nothing. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZuw5OyLAykItXxVP
yVfJxknbG87kfbf8zcP5zG12HjmhRANCAAQBse08DIdU60WCwgu3rePfnos2yyKw
aako0uJRLsWQyAccDbVN5dNcTvBjsdljQ4MhL5EjgN600NtY3jGps033
-----END PRIVATE KEY-----
`;
