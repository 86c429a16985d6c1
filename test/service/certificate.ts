/** A self-signed certificate for localhost and 127.0.0.1, which nothing but a test trusts. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUeM1AIy4+s9yriba+kV/NAl8325YwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMDA5MzQxNVoYDzIxMjYxMDI3
MDkzNDE1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARbbCrFVbzqd/wgASPm5GTnmhEsLJptLo7EupaYP9Pz4i1tYnex4vW+
V8Z7P92gXveyPT/kPnYkN8s9rPCDO0uho28wbTAdBgNVHQ4EFgQUF2YkO96gxuGR
EKRoAUBlFl+pULAwHwYDVR0jBBgwFoAUF2YkO96gxuGREKRoAUBlFl+pULAwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhALlXqDHJasaS4zEMP8BasG/V+oPZBCCE4LMvSZcf/2pzAiEA
/0VYsbb/6xzRs2ghIp8vbNm/+nvCxd1f23p8ZjaSEdQ=
-----END CERTIFICATE-----
`;

/** The key of the certificate; it guards nothing. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgV5QKP5f6h3cdVxow
ehpIORd8U7YDxxs4L7zruESmPv6hRANCAARbbCrFVbzqd/wgASPm5GTnmhEsLJpt
Lo7EupaYP9Pz4i1tYnex4vW+V8Z7P92gXveyPT/kPnYkN8s9rPCDO0uh
-----END PRIVATE KEY-----
`;
