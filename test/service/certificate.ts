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

/** A certificate for localhost with the same key, which was valid for the year 2000. */
export const expiredCertificate = `-----BEGIN CERTIFICATE-----
MIIBZjCCAQugAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwHhcNMDAwMTAxMDAwMDAwWhcNMDEwMTAxMDAwMDAwWjAUMRIwEAYDVQQDDAls
b2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQBse08DIdU60WCwgu3
rePfnos2yyKwaako0uJRLsWQyAccDbVN5dNcTvBjsdljQ4MhL5EjgN600NtY3jGp
s033o04wTDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwDwYDVR0TAQH/BAUw
AwEB/zAdBgNVHQ4EFgQUJsl/p2CK7vnO2DhB3IMSivL2uNswCgYIKoZIzj0EAwID
SQAwRgIhANuB1MUH5OuLxYAnjIdSWHHMemPGNuKy4Ktxtlhq13U4AiEAqvwdxpGN
OY2p5n9SYB0L+epJCey09SBkoXl//WnTElM=
-----END CERTIFICATE-----
`;

/** The key of both certificates; it guards nothing. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZuw5OyLAykItXxVP
yVfJxknbG87kfbf8zcP5zG12HjmhRANCAAQBse08DIdU60WCwgu3rePfnos2yyKw
aako0uJRLsWQyAccDbVN5dNcTvBjsdljQ4MhL5EjgN600NtY3jGps033
-----END PRIVATE KEY-----
`;
