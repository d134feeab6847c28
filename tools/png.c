// SPDX-License-Identifier: MIT

// A small writer of PNG files. Rows are predicted from the row above, and compressed by deflate
// with its fixed codes and the one kind of match that pays for such pictures: repeats of the byte
// before.

#include "png.h"

#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_PER_PIXEL 3
#define FILTER_UP 2

#define MAX_MATCH 258
#define MIN_MATCH 3

#define ADLER_MODULUS 65521u

typedef struct Bytes
{
	uint8_t* data;
	int count, capacity;
	uint32_t bits; // not yet written, the lowest first
	int bit_count;
} Bytes;

static void put_byte(Bytes* bytes, uint32_t byte)
{
	bytes->data = memory_grow(bytes->data, bytes->count, &bytes->capacity, 1);
	bytes->data[bytes->count++] = (uint8_t)byte;
}

static void put_word(Bytes* bytes, uint32_t word)
{
	for (int shift = 24; shift >= 0; shift -= 8)
	{
		put_byte(bytes, word >> shift & 0xffu);
	}
}

// Deflate.

static void put_bits(Bytes* bytes, uint32_t value, int count)
{
	bytes->bits |= value << bytes->bit_count;
	bytes->bit_count += count;
	while (bytes->bit_count >= 8)
	{
		put_byte(bytes, bytes->bits & 0xffu);
		bytes->bits >>= 8;
		bytes->bit_count -= 8;
	}
}

// Codes are written from their highest bit.
static void put_code(Bytes* bytes, uint32_t code, int count)
{
	for (int i = count - 1; i >= 0; --i)
	{
		put_bits(bytes, code >> i & 1u, 1);
	}
}

// A literal byte, the end of the data (256) or the code of a length (257 and above).
static void put_symbol(Bytes* bytes, uint32_t symbol)
{
	if (symbol < 144)
	{
		put_code(bytes, 0x30 + symbol, 8);
	}
	else if (symbol < 256)
	{
		put_code(bytes, 0x190 + symbol - 144, 9);
	}
	else if (symbol < 280)
	{
		put_code(bytes, symbol - 256, 7);
	}
	else
	{
		put_code(bytes, 0xc0 + symbol - 280, 8);
	}
}

// Repeat the byte before `length` times.
static void put_match(Bytes* bytes, int length)
{
	static const int bases[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51,
		59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
	static const int extra_bits[] = {
		0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
	int code = (int)(sizeof(bases) / sizeof(bases[0])) - 1;
	while (bases[code] > length)
	{
		--code;
	}
	put_symbol(bytes, 257u + (uint32_t)code);
	put_bits(bytes, (uint32_t)(length - bases[code]), extra_bits[code]);
	put_code(bytes, 0, 5); // The distance is 1.
}

static void deflate(Bytes* bytes, const uint8_t* data, int count)
{
	put_bits(bytes, 1, 1); // the last block
	put_bits(bytes, 1, 2); // with fixed codes
	for (int i = 0; i < count;)
	{
		int length = 0;
		while (i > 0 && length < MAX_MATCH && i + length < count && data[i + length] == data[i - 1])
		{
			++length;
		}
		if (length >= MIN_MATCH)
		{
			put_match(bytes, length);
			i += length;
		}
		else
		{
			put_symbol(bytes, data[i++]);
		}
	}
	put_symbol(bytes, 256);
	put_bits(bytes, 0, (8 - bytes->bit_count) % 8);
}

static uint32_t compute_adler(const uint8_t* data, int count)
{
	uint32_t a = 1;
	uint32_t b = 0;
	for (int i = 0; i < count; ++i)
	{
		a = (a + data[i]) % ADLER_MODULUS;
		b = (b + a) % ADLER_MODULUS;
	}
	return b << 16 | a;
}

// PNG.

static uint32_t compute_crc(const uint8_t* data, int count)
{
	uint32_t crc = 0xffffffffu;
	for (int i = 0; i < count; ++i)
	{
		crc ^= data[i];
		for (int bit = 0; bit < 8; ++bit)
		{
			crc = crc >> 1 ^ (crc & 1u ? 0xedb88320u : 0u);
		}
	}
	return ~crc;
}

static void put_chunk(Bytes* file, const char* name, const uint8_t* data, int count)
{
	put_word(file, (uint32_t)count);
	int begin = file->count;
	for (int i = 0; i < 4; ++i)
	{
		put_byte(file, (uint8_t)name[i]);
	}
	for (int i = 0; i < count; ++i)
	{
		put_byte(file, data[i]);
	}
	put_word(file, compute_crc(file->data + begin, file->count - begin));
}

// Each row as its differences from the row above.
static Bytes filter(const uint8_t* pixels, int width, int height)
{
	Bytes rows = {0};
	int row_size = BYTES_PER_PIXEL * width;
	for (int y = 0; y < height; ++y)
	{
		const uint8_t* row = pixels + (size_t)y * (size_t)row_size;
		put_byte(&rows, FILTER_UP);
		for (int i = 0; i < row_size; ++i)
		{
			put_byte(&rows, (uint8_t)(row[i] - (y > 0 ? row[i - row_size] : 0)));
		}
	}
	return rows;
}

static Bytes compress(const uint8_t* pixels, int width, int height)
{
	Bytes rows = filter(pixels, width, height);
	Bytes packed = {0};
	put_byte(&packed, 0x78);
	put_byte(&packed, 0x01);
	deflate(&packed, rows.data, rows.count);
	put_word(&packed, compute_adler(rows.data, rows.count));
	free(rows.data);
	return packed;
}

static Bytes make_file(const uint8_t* pixels, int width, int height)
{
	static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
	Bytes file = {0};
	for (size_t i = 0; i < sizeof(signature); ++i)
	{
		put_byte(&file, signature[i]);
	}
	Bytes header = {0};
	put_word(&header, (uint32_t)width);
	put_word(&header, (uint32_t)height);
	const uint8_t format[] = {8, 2, 0, 0, 0}; // 8 bits of red, green and blue
	for (size_t i = 0; i < sizeof(format); ++i)
	{
		put_byte(&header, format[i]);
	}
	put_chunk(&file, "IHDR", header.data, header.count);
	Bytes packed = compress(pixels, width, height);
	put_chunk(&file, "IDAT", packed.data, packed.count);
	put_chunk(&file, "IEND", NULL, 0);
	free(header.data);
	free(packed.data);
	return file;
}

bool png_write(const char* file_name, const uint8_t* pixels, int width, int height)
{
	Bytes bytes = make_file(pixels, width, height);
	FILE* file = fopen(file_name, "wb");
	bool is_written =
		file != NULL && fwrite(bytes.data, 1, (size_t)bytes.count, file) == (size_t)bytes.count;
	is_written = file != NULL && fclose(file) == 0 && is_written;
	if (!is_written)
	{
		fprintf(stderr, "navcorridor: %s: %s\n", file_name, strerror(errno));
	}
	free(bytes.data);
	return is_written;
}
